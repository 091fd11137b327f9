#include "panes/partition_dag/part_graphs.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/dag_view.h"
#include "panes/partition_dag/shown_cut.h"
#include "passes/split_tables.h"
#include "text/amounts.h"

#include <QKeyEvent>

#include <algorithm>

namespace sunder {

PartGraphs::PartGraphs(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, DagView& view,
                       const ShownCut& cut, QObject* parent)
    : QObject(parent), m_document(document), m_jobs(jobs), m_engine(std::move(engine)), m_view(view), m_shown(cut)
{
}

void PartGraphs::update()
{
    m_run = m_shown.measuredNumber();
    const SplitOutcomePtr cut = m_run == 0 ? nullptr : m_shown.measure()->cut();
    if (cut == m_cut) {
        for (const auto& [part, entry] : m_graphs)
            if (entry.view->run() != m_run)
                entry.view->setRunNumber(m_run);
        return;
    }
    while (!m_graphs.empty())
        close(m_graphs.begin()->first);
    m_cut = cut;
    m_selected.clear();
}

void PartGraphs::place()
{
    std::vector<QWidget*> graphs;
    for (const DagBox& box : m_view.content().boxes)
        graphs.push_back(graphOf(box.part));
    m_view.setGraphs(std::move(graphs));
}

void PartGraphs::unfold(int box)
{
    if (m_shown.measuredNumber() == 0 || box < 0)
        return;
    const DagBox at = m_view.content().boxes[static_cast<std::size_t>(box)];
    if (at.sizes.ops > kMaxOps) {
        const QString why = tr("%1 has %2, too many to show in a box").arg(at.look.name, countText(at.sizes.ops, "op"));
        if (m_shown.isRunMeasured()) {
            emit partActivated(at.look.name);
            emit message(tr("%1. Its graph is in Submodules.").arg(why));
        } else {
            emit message(tr("%1. Keep this preview as a run to see its graph in Submodules.").arg(why));
        }
        return;
    }
    if (open(at.part, m_shown.measure()->tags().order[static_cast<std::size_t>(at.part)]) == nullptr)
        return;
    constexpr int kGood = 420;
    emit roomWanted(kGood);
    showBox(box);
}

void PartGraphs::fold(int box)
{
    if (box < 0)
        return;
    const std::int32_t part = m_view.content().boxes[static_cast<std::size_t>(box)].part;
    RunGraphView* graph = graphOf(part);
    if (graph == nullptr)
        return;
    if (graph->isAncestorOf(graph->window()->focusWidget()))
        m_view.setFocus();
    close(part);
    showBox(box);
}

void PartGraphs::showBox(int box)
{
    place();
    m_view.setCurrent({DagHit::Kind::box, box});
    m_view.ensureShown({DagHit::Kind::box, box});
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
                                  QStringLiteral("box %1 of %2").arg(part).arg(reinterpret_cast<quintptr>(this)),
                                  m_view.viewport());
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
                fold(m_view.content().boxOf(part));
                return true;
            }
    return QObject::eventFilter(watched, event);
}

} // namespace sunder

#include "moc_part_graphs.cpp"
