#include "panes/submodules/submodules_pane.h"

#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/submodules/part_style.h"
#include "panes/submodules/submodules_bar.h"
#include "panes/submodules/tile_grid.h"
#include "support/format.h"

#include <QResizeEvent>
#include <QSettings>
#include <QShortcut>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace sunder {

namespace {

const QString kModeKey = QStringLiteral("submodules/mode");
const QString kTiledKey = QStringLiteral("submodules/tiled");
const QString kInterfaceKey = QStringLiteral("submodules/interface");

} // namespace

SubmodulesPane::SubmodulesPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, ResultKind::parts, tr("Submodules"),
                 tr("The main graph and every part of a cut come here. Paint tags and split (Ctrl+Return), or partition over devices."),
                 parent),
      m_jobs(jobs), m_engine(std::move(engine)), m_tabs(new QTabBar(this)), m_bar(new SubmodulesBar(this)),
      m_stack(new QStackedWidget(this)), m_tiles(new TileGrid(this))
{
    column().addWidget(m_tabs);
    column().addWidget(m_bar);
    column().addWidget(m_stack, 1);
    m_stack->addWidget(m_tiles);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideMiddle);
    m_tabs->setDocumentMode(true);
    m_tabs->setMinimumHeight(30);
    m_tabs->setAccessibleName(tr("Main graph and parts"));
    connect(&header().breadcrumbs(), &Breadcrumbs::chosen, this, [this](int part) {
        if (GraphView* view = currentView())
            view->showCrumb(part);
    });
    addExportButton(tr("Export parts, graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph")), &QToolButton::clicked, this, [this] {
        if (GraphView* view = currentView())
            view->canvas().fitAll();
    });
    addWindowButtons();
    buildBar();
    connect(m_tabs, &QTabBar::currentChanged, this, &SubmodulesPane::showPage);
    connect(m_tiles, &TileGrid::contentWanted, this, &SubmodulesPane::fillTile);
    connect(m_tiles, &TileGrid::contentUnwanted, this, &SubmodulesPane::emptyTile);
    connect(m_tiles, &TileGrid::activated, m_tabs, &QTabBar::setCurrentIndex);
    connect(&document, &Document::foundChanged, this, &SubmodulesPane::showFound);
    start();
}

void SubmodulesPane::buildBar()
{
    const QSettings settings;
    const int mode = settings.value(kModeKey, static_cast<int>(SubmoduleMode::both)).toInt();
    m_bar->setMode(static_cast<SubmoduleMode>(std::clamp(mode, 0, static_cast<int>(SubmoduleMode::names))));
    m_bar->setInterfaceOpen(settings.value(kInterfaceKey, true).toBool());
    m_bar->setTiled(settings.value(kTiledKey, false).toBool());
    connect(m_bar, &SubmodulesBar::modeChosen, this, [this](SubmoduleMode chosen) {
        QSettings().setValue(kModeKey, static_cast<int>(chosen));
        for (const Page& page : m_pages)
            if (page.view != nullptr)
                page.view->setMode(chosen);
    });
    connect(m_bar, &SubmodulesBar::interfaceToggled, this, [this](bool open) {
        QSettings().setValue(kInterfaceKey, open);
        for (const Page& page : m_pages)
            if (page.view != nullptr)
                page.view->setInterfaceVisible(open);
    });
    connect(m_bar, &SubmodulesBar::tiledToggled, this, [this](bool tiled) {
        QSettings().setValue(kTiledKey, tiled);
        setTiled(tiled);
    });
    const std::pair<QKeySequence, int> keys[] = {{QKeySequence(Qt::CTRL | Qt::Key_PageDown), 1},
                                                {QKeySequence(Qt::CTRL | Qt::Key_PageUp), -1}};
    for (const auto& [key, by] : keys) {
        auto* shortcut = new QShortcut(key, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, by = by] { step(by); });
    }
}

void SubmodulesPane::resizeEvent(QResizeEvent* event)
{
    ResultPane::resizeEvent(event);
    m_bar->setRoomForBoth(!m_bar->isTiled() && width() >= SubmoduleView::kRoomForBoth);
}

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

void SubmodulesPane::removePages()
{
    m_tiles->setTiles({});
    for (const Page& page : m_pages)
        if (page.view != nullptr) { // it may be on the stack above us, and must not be heard again
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
    m_names.reset();
    while (m_tabs->count() > 0)
        m_tabs->removeTab(0);
}

void SubmodulesPane::showResult()
{
    const QSignalBlocker blocker(m_tabs);
    removePages();
    m_shown = result<SplitOutcomePtr>();
    m_bar->setVisible(m_shown != nullptr);
    if (!m_shown) {
        header().breadcrumbs().setParts({});
        return;
    }
    addPages();
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
    m_tabs->setTabToolTip(0, tr("Calls the parts in order: %1 (Ctrl+PageUp, Ctrl+PageDown)")
                                 .arg(text(formatCount(program.rootGraph().size(), "node"))));
    tiles.push_back({.title = tr("Main graph")});
    const std::vector<TagLook> looks = partLooksOf(document(), *m_shown, theme);
    const std::vector<NodeId> calls = callsOfParts(split);
    for (std::size_t part = 0; part < split.parts.size(); ++part) {
        const GraphId graph = split.parts[part];
        const QString name = text(split.partNames[part]);
        m_pages.push_back({.about = {.run = runNumber(), .outcome = m_shown, .graph = graph, .part = static_cast<int>(part), .name = name},
                           .call = calls[part]});
        const QIcon icon = part < looks.size() ? tagSwatch(looks[part].style, theme) : QIcon();
        const int at = m_tabs->addTab(icon, name);
        m_tabs->setTabData(at, name);
        m_tabs->setTabToolTip(at, tr("Part %1: %2 (Ctrl+PageUp, Ctrl+PageDown)")
                                      .arg(name, text(formatCount(program.graph(graph).size(), "node"))));
        tiles.push_back({.icon = icon, .title = name});
    }
    m_tiles->setTiles(tiles);
}

SubmoduleView& SubmodulesPane::viewOf(int index)
{
    Page& page = m_pages[static_cast<std::size_t>(index)];
    if (page.view != nullptr)
        return *page.view;
    page.view = new SubmoduleView(document(), m_jobs, m_engine,
                                  QStringLiteral("part %1 of run %2").arg(index).arg(runNumber()), page.about, this);
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

void SubmodulesPane::step(int by)
{
    if (m_tabs->count() > 0)
        m_tabs->setCurrentIndex((m_tabs->currentIndex() + by + m_tabs->count()) % m_tabs->count());
}

void SubmodulesPane::setTiled(bool tiled)
{
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        if (m_pages[i].view == nullptr)
            continue;
        m_pages[i].view->setInterfaceVisible(m_bar->isInterfaceOpen() && !tiled);
        if (tiled)
            continue; // it goes into its tile when that comes into sight
        m_tiles->setContent(static_cast<int>(i), nullptr);
        m_pages[i].view->setParent(this);
        m_pages[i].view->hide();
    }
    m_bar->interfaceButton().setEnabled(!tiled);
    m_bar->setRoomForBoth(!tiled && width() >= SubmoduleView::kRoomForBoth);
    showPage(m_tabs->currentIndex());
    QTimer::singleShot(0, this, &SubmodulesPane::openGraphs); // once they have their new sizes
}

/// Graphs that were drawn at another size: whole in tiles, an overview, such that they can be read in front.
void SubmodulesPane::openGraphs()
{
    for (const Page& page : m_pages)
        if (RunGraphView* graph = page.view == nullptr ? nullptr : page.view->graph(); graph != nullptr && graph->isVisible()) {
            if (m_bar->isTiled())
                graph->canvas().showWhole();
            else
                graph->canvas().showReadable();
        }
    reveal();
}

void SubmodulesPane::fillTile(int index)
{
    if (m_bar->isTiled())
        m_tiles->setContent(index, &viewOf(index));
}

void SubmodulesPane::emptyTile(int index)
{
    Page& page = m_pages[static_cast<std::size_t>(index)];
    if (page.view == nullptr)
        return;
    page.view->disconnect(this);
    page.view->deleteLater();
    page.view = nullptr;
}

void SubmodulesPane::showSummary()
{
    const SubmoduleView* page = currentPage();
    m_bar->setSummary(page == nullptr ? QString() : page->interfacePanel().interfaceModel().summary());
}

void SubmodulesPane::readNames()
{
    m_jobs.start<std::shared_ptr<const NameTable>>(
        {.key = QStringLiteral("names of run %1").arg(runNumber()), .title = tr("List the names of the cut"), .quiet = true},
        [source = document().snapshot(), outcome = m_shown](ProgressMonitor& monitor) {
            return makeNameTable(*source, *outcome, monitor);
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

/// The calls of the parts in which these nodes are, in the main graph. O(nodes + parts).
std::vector<NodeId> SubmodulesPane::callsOf(const std::vector<NodeRef>& nodes) const
{
    std::vector<NodeId> calls;
    if (!m_shown || nodes.empty())
        return calls;
    std::vector<char> hasNodes(m_shown->split.program.graphs.size(), 0);
    for (const NodeRef ref : nodes)
        hasNodes[ref.graph.index()] = 1;
    for (const Page& page : m_pages)
        if (page.call && hasNodes[page.about.graph.index()] != 0)
            calls.push_back(page.call);
    return calls;
}

/// Graphs mark the hits that they have; the main graph besides the parts that have hits, and so do their tabs.
void SubmodulesPane::showFound()
{
    if (!m_shown)
        return;
    const std::vector<NodeId>& found = document().found();
    const std::vector<NodeRef> hits = found.empty() ? std::vector<NodeRef>() : document().counterpartsIn(runNumber(), found);
    const SubmoduleView* main = m_pages.front().view;
    if (main != nullptr && main->graph() != nullptr)
        main->graph()->showFoundCalls(callsOf(hits));
    std::vector<std::size_t> perGraph(m_shown->split.program.graphs.size(), 0);
    for (const NodeRef ref : hits)
        ++perGraph[ref.graph.index()];
    for (std::size_t i = 1; i < m_pages.size(); ++i)
        if (const std::size_t count = perGraph[m_pages[i].about.graph.index()]; count > 0)
            m_tabs->setTabText(static_cast<int>(i), tr("%1 (%2)").arg(m_pages[i].about.name, text(formatCount(count))));
        else
            m_tabs->setTabText(static_cast<int>(i), m_pages[i].about.name);
}

void SubmodulesPane::passSelection(const Page& page)
{
    if (page.view != nullptr)
        page.view->showSelection(m_selected, page.about.part < 0 ? callsOf(m_selected) : std::vector<NodeId>());
}

void SubmodulesPane::showSelection(const std::vector<NodeRef>& selected)
{
    m_selected = selected;
    std::vector<int> holding;
    bool isPicking = false;
    for (std::size_t i = 0; i < m_pages.size(); ++i) {
        isPicking = isPicking || (m_pages[i].view != nullptr && m_pages[i].view->isPicking());
        passSelection(m_pages[i]);
        if (i > 0 && std::any_of(selected.begin(), selected.end(), [&](NodeRef ref) { return ref.graph == m_pages[i].about.graph; }))
            holding.push_back(static_cast<int>(i));
    }
    // A part in front follows the selection to the part that has it.
    const int front = m_tabs->currentIndex();
    if (isFollowing() && !isPicking && front > 0 && holding.size() == 1 && holding.front() != front)
        m_tabs->setCurrentIndex(holding.front());
}

void SubmodulesPane::showHovered(const std::vector<NodeRef>& hovered)
{
    for (const Page& page : m_pages)
        if (page.view != nullptr)
            page.view->showHovered(hovered, page.about.part < 0 ? callsOf(hovered) : std::vector<NodeId>());
}

void SubmodulesPane::reveal()
{
    for (const Page& page : m_pages) // tiles are all in front
        if (page.view != nullptr && (m_bar->isTiled() || page.view == currentPage()))
            page.view->reveal();
}

void SubmodulesPane::connectGraph(int index, RunGraphView& graph)
{
    graph.canvas().setPictureStyle(styleOf(m_pages[static_cast<std::size_t>(index)]));
    link(graph);
    if (index == 0 && !document().found().empty())
        showFound();
    connect(&graph.canvas(), &CanvasWidget::nodeActivated, this, [this, &graph](NodeId node) { activate(graph, node); });
    connect(
        &graph, &GraphView::pictureShown, this,
        [this, &graph] {
            if (m_bar->isTiled()) // an overview: the whole part rather than text that reads
                graph.canvas().showWhole();
        },
        Qt::SingleShotConnection);
    connect(&graph, &GraphView::breadcrumbsChanged, this, [this, &graph] {
        if (&graph == currentView())
            header().breadcrumbs().setParts(graph.breadcrumbs());
    });
}

void SubmodulesPane::activate(const RunGraphView& view, NodeId node)
{
    // Enter on the call of a part goes into the part.
    const auto page = std::find_if(m_pages.begin(), m_pages.end(), [node](const Page& at) { return at.call == node; });
    if (view.graphId() == m_pages.front().about.graph && page != m_pages.end() && page->call)
        m_tabs->setCurrentIndex(static_cast<int>(page - m_pages.begin()));
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
        const auto part = static_cast<std::size_t>(page.about.part);
        if (page.about.part < 0 || part >= looks.size())
            continue;
        const QIcon icon = tagSwatch(looks[part].style, currentTheme());
        m_tabs->setTabIcon(static_cast<int>(i), icon);
        m_tiles->setIcon(static_cast<int>(i), icon);
    }
    showSelection(std::vector<NodeRef>(m_selected));
}

} // namespace sunder
