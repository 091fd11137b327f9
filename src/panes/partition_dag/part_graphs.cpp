#include "panes/partition_dag/part_graphs.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "passes/split_tables.h"

#include <QKeyEvent>

#include <algorithm>

namespace sunder {

PartGraphs::PartGraphs(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget& place,
                       QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs), m_engine(std::move(engine)), m_place(place)
{
}

void PartGraphs::setRun(int run, SplitOutcomePtr cut)
{
    m_run = run;
    if (cut == m_cut) {
        for (const auto& [part, entry] : m_graphs)
            if (entry.view->run() != run)
                entry.view->setRunNumber(run);
        return;
    }
    while (!m_graphs.empty())
        close(m_graphs.begin()->first);
    m_cut = std::move(cut);
    m_selected.clear();
}

RunGraphView* PartGraphs::open(std::int32_t part, InternedString name)
{
    if (RunGraphView* known = graphOf(part))
        return known;
    const std::vector<InternedString>& names = m_cut->split.partNames;
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end())
        return nullptr;
    const auto place = static_cast<std::size_t>(at - names.begin());
    auto* view = new RunGraphView(m_document, m_jobs, m_engine,
                                  QStringLiteral("box %1 of %2").arg(part).arg(reinterpret_cast<quintptr>(this)), &m_place);
    view->setObjectName(QStringLiteral("partGraph"));
    view->canvas().setMinimapVisible(false);
    view->canvas().installEventFilter(this);
    const Entry& entry = m_graphs.emplace(part, Entry{view, static_cast<int>(place)}).first->second;
    view->setRun(m_run, {m_cut, &m_cut->split.program}, m_cut->split.parts[place], text(name));
    color(entry);
    view->showSelection(m_selected, {});
    emit made(view);
    return view;
}

void PartGraphs::close(std::int32_t part)
{
    const auto at = m_graphs.find(part);
    if (at == m_graphs.end())
        return;
    at->second.view->hide();
    at->second.view->deleteLater();
    m_graphs.erase(at);
}

RunGraphView* PartGraphs::graphOf(std::int32_t part) const
{
    const auto at = m_graphs.find(part);
    return at == m_graphs.end() ? nullptr : at->second.view;
}

RunGraphView* PartGraphs::graphWithFocus() const
{
    for (const auto& [part, entry] : m_graphs)
        if (entry.view->canvas().hasFocus())
            return entry.view;
    return nullptr;
}

std::vector<QWidget*> PartGraphs::perBox(const DagContent& content) const
{
    std::vector<QWidget*> graphs;
    for (const DagBox& box : content.boxes)
        graphs.push_back(graphOf(box.part));
    return graphs;
}

void PartGraphs::color(const Entry& entry)
{
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = partLooksOf(m_document, *m_cut, *style.theme);
    style.tagOf = partTableOf(m_cut->split, entry.place);
    entry.view->canvas().setPictureStyle(std::move(style));
}

void PartGraphs::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    for (const auto& [part, entry] : m_graphs)
        entry.view->showSelection(selected, {});
}

void PartGraphs::showHovered(const std::vector<NodeRef>& hovered)
{
    for (const auto& [part, entry] : m_graphs)
        entry.view->showHovered(hovered);
}

void PartGraphs::reveal()
{
    for (const auto& [part, entry] : m_graphs)
        if (!entry.view->isPicking())
            entry.view->reveal();
}

void PartGraphs::refreshTheme()
{
    for (const auto& [part, entry] : m_graphs) {
        color(entry);
        entry.view->showSelection(m_selected, {});
    }
}

bool PartGraphs::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        for (const auto& [part, entry] : m_graphs)
            if (&entry.view->canvas() == watched) {
                emit foldRequested(part);
                return true;
            }
    return QObject::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_part_graphs.cpp"
