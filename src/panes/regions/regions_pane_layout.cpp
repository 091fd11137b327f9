// How the Regions pane is put together.
#include "panes/regions/rail_delegate.h"
#include "document/passes/regions_pass.h"
#include "models/look.h"
#include "panes/regions/region_list.h"
#include "panes/regions/regions_pane.h"
#include "panes/turns.h"

#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sunder {

namespace {
constexpr int kRailWidth = 24;
} // namespace

RegionsPane::RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, RegionsOutcome::kKind, tr("Regions"),
                 tr("Find repeated regions (Ctrl+R), or deduplicate the model (Ctrl+Shift+R), to see here what repeats, where, and "
                    "why it ends there."), parent), m_jobs(jobs), m_engine(std::move(engine)),
      m_options(new RegionRunOptions(this)), m_stack(new QStackedWidget(this)), m_empty(new QLabel(this)),
      m_occurrences(new OccurrenceModel(document, this))
{
    header().addWidget(m_options);
    addExportButton(tr("Export graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph (F)")), &QToolButton::clicked, this, [this] {
        if (GraphView* graph = graphInFront())
            graph->canvas().fitAll();
    });
    addWindowButtons();
    makeBody();
    column().addWidget(m_stack, 1);
    connectViews();
    start();
}

void RegionsPane::makeBody()
{
    setLook(*m_empty, QStringLiteral("hint"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(24);
    auto* splitter = new QSplitter(Qt::Horizontal, m_stack);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    m_side = new RegionCardsPanel(splitter);
    splitter->addWidget(m_side);
    splitter->addWidget(makeMiddle());
    m_elsewhere = new OccurrencesPanel(document(), *m_occurrences, m_rail->selectionModel(), splitter);
    splitter->addWidget(m_elsewhere);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setStretchFactor(2, 0);
    splitter->setSizes({152, 320, 168});
    m_body = splitter;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_body);
    QWidget* const fromLeft[] = {&cards(), &reasons(), m_rail, m_tabs, &m_graph->canvas(), &elsewhere()};
    for (std::size_t i = 1; i < std::size(fromLeft); ++i)
        setTabOrder(fromLeft[i - 1], fromLeft[i]);
}

QWidget* RegionsPane::makeMiddle()
{
    auto* middle = new QWidget(this);
    middle->setMinimumWidth(kRailWidth + 120);
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_rail = makeRegionList(*m_occurrences, tr("Occurrences in the order of the program"),
                            tr("Arrow keys go from one to the next; it is selected in the source."), middle);
    m_rail->setItemDelegate(new RailDelegate(document(), m_rail));
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setFixedWidth(kRailWidth);
    m_rail->setUniformItemSizes(true);
    m_rail->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rail->setContextMenuPolicy(Qt::CustomContextMenu);
    row->addWidget(m_rail);
    row->addWidget(makeGraphs(middle), 1);
    return middle;
}

QWidget* RegionsPane::makeGraphs(QWidget* parent)
{
    auto* graphs = new QWidget(parent);
    auto* column = new QVBoxLayout(graphs);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_tabs = new QTabBar(graphs);
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Subgraph and main graph"));
    m_tabs->addTab(tr("Subgraph"));
    m_tabs->addTab(tr("Main graph"));
    m_tabs->setTabToolTip(0, tr("What all occurrences have become calls of"));
    m_tabs->setTabToolTip(1, tr("The model with the calls in it"));
    m_tabs->hide();
    m_graphs = new QStackedWidget(graphs);
    m_graph = new RegionGraphView(m_jobs, m_engine, m_graphs);
    link(*m_graph);
    m_graphs->addWidget(m_graph);
    column->addWidget(m_tabs);
    column->addWidget(m_graphs, 1);
    return graphs;
}

void RegionsPane::connectViews()
{
    connect(m_options, &RegionRunOptions::runRequested, this, [this](const RegionOptions& options, bool share) {
        emit runRequested(share ? QStringLiteral("deduplicate") : QStringLiteral("findRegions"), asPassOptions(options));
    });
    connect(m_side, &RegionCardsPanel::chosen, this, &RegionsPane::showCard);
    connect(m_side, &RegionCardsPanel::nodesChosen, this, [this](const std::vector<NodeId>& nodes) {
        document().select(nodes);
        document().reveal();
    });
    connect(m_rail->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_following && index.isValid())
            goTo(index.row(), !elsewhere().hasFocus());
    });
    // A click on the row where one is goes there again.
    connect(m_rail, &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), true); });
    connect(&elsewhere(), &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(&elsewhere(), &QListView::activated, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(m_rail, &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, true); });
    connect(&elsewhere(), &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, false); });
    for (QListView* view : {m_rail, &elsewhere()})
        view->viewport()->installEventFilter(this);
    connect(m_graph, &RegionGraphView::picked, this, &RegionsPane::pickPlaces);
    connect(m_graph, &RegionGraphView::placesHovered, this, &RegionsPane::hoverPlaces);
    connect(&document(), &Document::foundChanged, this, [this] {
        Turns::follow(*this, Turns::What::hits, this->document().found().size(), [this] { showFound(); });
    });
    for (QListView* view : {&cards(), m_rail, &elsewhere()})
        connect(view, &QListView::customContextMenuRequested, this,
                [this, view](const QPoint& at) { showMenu(view->viewport()->mapToGlobal(at)); });
    connect(m_tabs, &QTabBar::currentChanged, this, &RegionsPane::showTab);
}

} // namespace sunder
