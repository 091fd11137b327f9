#include "panes/submodules/submodules_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/submodules/submodules_bar.h"
#include "panes/submodules/tile_grid.h"
#include "passes/split_tables.h"
#include "text/amounts.h"

#include <QStackedWidget>

#include <algorithm>

namespace sunder {

SubmoduleView* SubmodulesPane::currentPage()
{
    const int index = m_tabs->currentIndex();
    return index >= 0 && static_cast<std::size_t>(index) < m_pages.size() ? m_pages[static_cast<std::size_t>(index)].view
                                                                          : nullptr;
}

RunGraphView* SubmodulesPane::currentView()
{
    const SubmoduleView* page = currentPage();
    return page == nullptr ? nullptr : page->graph();
}

void SubmodulesPane::showResult()
{
    const QSignalBlocker blocker(m_tabs);
    removePages();
    m_shown = result<SplitOutcomePtr>();
    m_bar->setVisible(m_shown != nullptr);
    showOptions();
    if (!m_shown) {
        header().breadcrumbs().setParts({});
        return;
    }
    addPages();
    showFound();
    m_stack->setCurrentWidget(m_tiles);
    showPage(0);
}

void SubmodulesPane::addPages()
{
    const SplitResult& split = m_shown->split;
    const Program& program = split.program;
    const Theme& theme = currentTheme();
    std::vector<TileGrid::Tile> tiles;
    m_pages.push_back({.about = {.run = runNumber(), .outcome = m_shown, .graph = program.root, .name = tr("main")}});
    m_tabs->addTab(tr("Main graph"));
    m_tabs->setTabToolTip(
        0, tr("Calls the parts in order: %1 (Ctrl+PageUp, Ctrl+PageDown)").arg(countText(program.rootGraph().size(), "node")));
    tiles.push_back({.title = tr("Main graph")});
    const std::vector<TagLook> looks = partLooksOf(document(), *m_shown, theme);
    const std::vector<NodeId> calls = callsOfParts(split);
    for (std::size_t part = 0; part < split.parts.size(); ++part) {
        const GraphId graph = split.parts[part];
        const QString name = text(split.partNames[part]);
        m_pages.push_back(
            {.about = {.run = runNumber(), .outcome = m_shown, .graph = graph, .part = static_cast<int>(part), .name = name},
             .call = calls[part]});
        const QIcon icon = part < looks.size() ? tagSwatch(looks[part].style, theme) : QIcon();
        const int at = m_tabs->addTab(icon, {});
        m_tabs->setTabData(at, name);
        showHits(at, 0);
        tiles.push_back({.icon = icon, .title = name});
    }
    m_tiles->setTiles(tiles);
}

void SubmodulesPane::removePages()
{
    m_tiles->setTiles({});
    for (const Page& page : m_pages)
        if (page.view != nullptr) { // the view may be on the call stack, and its signals must be ignored from now on
            page.view->disconnect(this);
            if (RunGraphView* graph = page.view->graph()) {
                graph->disconnect(this);
                graph->canvas().disconnect(this);
            }
            page.view->hide();
            page.view->setParent(nullptr);
            page.view->deleteLater();
        }
    m_pages.clear();
    m_selected.clear();
    m_hits.clear();
    m_hitCalls.clear();
    m_names.reset();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
}

SubmoduleView& SubmodulesPane::viewOf(int index)
{
    Page& page = m_pages[static_cast<std::size_t>(index)];
    if (page.view != nullptr)
        return *page.view;
    page.view = new SubmoduleView(document(), m_jobs, m_engine, QStringLiteral("part %1 of run %2").arg(index).arg(runNumber()),
                                  page.about, this);
    SubmoduleView& view = *page.view;
    connect(&view, &SubmoduleView::graphMade, this, [this, index](RunGraphView* graph) { connectGraph(index, *graph); });
    connect(&view, &SubmoduleView::namesWanted, this, &SubmodulesPane::readNames);
    connect(&view, &SubmoduleView::interfaceShown, this, [this, index] {
        m_tiles->setDetail(index, m_pages[static_cast<std::size_t>(index)].view->interfacePanel().interfaceModel().summary());
        showSummary();
    });
    if (m_names)
        view.setNameTable(m_names);
    view.setInterfaceVisible(m_bar->isInterfaceOpen() && !m_bar->isTiled());
    view.setMode(m_bar->mode());
    passSelection(page);
    passFound(page);
    return view;
}

void SubmodulesPane::showPage(int index)
{
    if (index < 0 || static_cast<std::size_t>(index) >= m_pages.size())
        return;
    if (m_bar->isTiled()) {
        m_stack->setCurrentWidget(m_tiles);
        m_tiles->setCurrent(index, true);
    } else {
        SubmoduleView& view = viewOf(index);
        if (m_stack->indexOf(&view) < 0)
            m_stack->addWidget(&view);
        m_stack->setCurrentWidget(&view);
    }
    showSummary();
    if (RunGraphView* graph = currentView())
        header().breadcrumbs().setParts(graph->breadcrumbs());
    showSelection(std::vector<NodeRef>(m_selected));
    reveal();
    emit graphShown();
}

void SubmodulesPane::showGraph(GraphId graph)
{
    const auto found = std::ranges::find(m_pages, graph, [](const Page& page) { return page.about.graph; });
    if (found != m_pages.end())
        m_tabs->setCurrentIndex(static_cast<int>(found - m_pages.begin()));
}

void SubmodulesPane::showSummary()
{
    const SubmoduleView* page = currentPage();
    m_bar->setSummary(page == nullptr ? QString() : page->interfacePanel().interfaceModel().summary());
}

void SubmodulesPane::readNames()
{
    m_jobs.start<std::shared_ptr<const NameTable>>(
        {.key = QStringLiteral("names of run %1").arg(runNumber()), .title = tr("List the names"), .quiet = true},
        [source = document().snapshot(), outcome = m_shown](ProgressMonitor& monitor) {
            return makeNameTable(source->program, outcome->split, monitor);
        },
        this,
        [this, outcome = m_shown](Result<std::shared_ptr<const NameTable>> made) {
            if (!made || outcome != m_shown)
                return;
            m_names = std::move(*made);
            for (const Page& page : m_pages)
                if (page.view != nullptr)
                    page.view->setNameTable(m_names);
        });
}

PictureStyle SubmodulesPane::styleOf(const Page& page) const
{
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = partLooksOf(document(), *m_shown, *style.theme);
    style.tagOf = partTableOf(m_shown->split, page.about.part);
    return style;
}

void SubmodulesPane::refreshTheme()
{
    if (!m_shown)
        return;
    const std::vector<TagLook> looks = partLooksOf(document(), *m_shown, currentTheme());
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        const Page& page = m_pages[i];
        if (page.view != nullptr) {
            page.view->refreshTheme();
            if (page.view->graph() != nullptr)
                page.view->graph()->canvas().setPictureStyle(styleOf(page));
        }
        const TagLook* look = lookOfTag(looks, page.about.part);
        if (look == nullptr)
            continue;
        const QIcon icon = tagSwatch(look->style, currentTheme());
        m_tabs->setTabIcon(static_cast<int>(i), icon);
        m_tiles->setIcon(static_cast<int>(i), icon);
    }
    showSelection(std::vector<NodeRef>(m_selected));
}

} // namespace sunder

#include "moc_submodules_pane.cpp"
