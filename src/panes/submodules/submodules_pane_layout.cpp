// SubmodulesPane: its tabs, bar, and tiles, and their visibility.
#include "panes/submodules/submodules_pane.h"

#include "panes/frame_scheduler.h"
#include "panes/run_options_button.h"
#include "panes/submodules/submodules_bar.h"
#include "panes/submodules/tile_grid.h"

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
constexpr int kRoomForInterface = 560; ///< pane height: 300 px for the graph, plus the table and the bars
const QString kInterfaceKey = QStringLiteral("submodules/interface");

} // namespace

SubmodulesPane::SubmodulesPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, SplitOutcome::kKind, tr("Submodules"),
                 tr("Split by tags (Ctrl+Return), or partition over devices, to see the main graph and each part of the cut."),
                 parent),
      m_jobs(jobs), m_engine(std::move(engine)), m_tabs(new QTabBar(this)), m_bar(new SubmodulesBar(this)),
      m_options(new RunOptionsButton(tr("Options for splitting by tags"), {QStringLiteral("split")}, this)),
      m_stack(new QStackedWidget(this)), m_tiles(new TileGrid(this))
{
    column().addWidget(m_tabs);
    column().addWidget(m_bar);
    column().addWidget(m_stack, 1);
    m_stack->addWidget(m_tiles);
    m_tabs->setExpanding(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone); // names are elided one by one; the tabs scroll if there are many
    m_tabs->setDocumentMode(true);
    m_tabs->setMinimumHeight(30);
    m_tabs->setAccessibleName(tr("Main graph and parts"));
    connect(&header().breadcrumbs(), &Breadcrumbs::chosen, this, [this](int part) {
        if (GraphView* view = currentView())
            view->showCrumb(part);
    });
    header().addWidget(m_options);
    connect(m_options, &RunOptionsButton::runRequested, this, &ResultPane::runRequested);
    addExportButton(tr("Export parts, graph, or picture (Ctrl+E)"));
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
    connect(&document.marks(), &Marks::foundChanged, this, [this] {
        FrameScheduler::follow(*this, FrameScheduler::What::hits, this->document().marks().found().size(),
                               [this] { showFound(); });
    });
    start();
}

void SubmodulesPane::buildBar()
{
    const QSettings settings;
    const int mode = settings.value(kModeKey, static_cast<int>(SubmoduleMode::both)).toInt();
    m_bar->setMode(static_cast<SubmoduleMode>(std::clamp(mode, 0, static_cast<int>(SubmoduleMode::names))));
    m_interfaceChosen = settings.contains(kInterfaceKey);
    m_bar->setInterfaceOpen(settings.value(kInterfaceKey, true).toBool());
    m_bar->setTiled(settings.value(kTiledKey, false).toBool());
    connect(m_bar, &SubmodulesBar::modeChosen, this, [this](SubmoduleMode chosen) {
        QSettings().setValue(kModeKey, static_cast<int>(chosen));
        for (const Page& page : m_pages)
            if (page.view != nullptr)
                page.view->setMode(chosen);
    });
    connect(m_bar, &SubmodulesBar::interfaceToggled, this, [this](bool open) {
        if (!m_isGivingRoom) {
            QSettings().setValue(kInterfaceKey, open);
            m_interfaceChosen = true;
        }
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

/// Hidden for a partition over devices, which has its own dialog.
void SubmodulesPane::showOptions()
{
    const bool isByTags = m_shown != nullptr && m_shown->pass == QLatin1String("split");
    m_options->setVisible(isByTags);
    if (isByTags)
        m_options->show(m_shown->pass, m_shown->options);
}

void SubmodulesPane::resizeEvent(QResizeEvent* event)
{
    ResultPane::resizeEvent(event);
    m_bar->setRoomForBoth(!m_bar->isTiled() && width() >= SubmoduleView::kRoomForBoth);
    giveRoomToGraph();
}

/// Until the user decides, the interface table is open only if enough height is left for the graph.
void SubmodulesPane::giveRoomToGraph()
{
    if (m_interfaceChosen || m_bar->isTiled())
        return;
    m_isGivingRoom = true;
    m_bar->setInterfaceOpen(height() >= kRoomForInterface);
    m_isGivingRoom = false;
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
            continue; // moved into its tile when that is visible
        m_tiles->setContent(static_cast<int>(i), nullptr);
        m_pages[i].view->setParent(this);
        m_pages[i].view->hide();
    }
    m_bar->interfaceButton().setEnabled(!tiled);
    m_bar->setRoomForBoth(!tiled && width() >= SubmoduleView::kRoomForBoth);
    showPage(m_tabs->currentIndex());
    QTimer::singleShot(0, this, &SubmodulesPane::openGraphs); // after the layout
}

/// Fits graphs that were drawn at another size: whole in tiles, readable in front.
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

} // namespace sunder
