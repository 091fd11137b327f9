// Creates the widgets of the Regions pane.
#include "document/passes/regions_pass.h"
#include "panes/frame_scheduler.h"
#include "panes/regions/rail_delegate.h"
#include "panes/regions/regions_pane.h"
#include "panes/regions/ui_regions_pane.h"

#include <QMenu>

namespace sunder {

RegionsPane::RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(
          document, RegionsOutcome::kKind, tr("Regions"),
          tr("Find repeated regions (Ctrl+R), or deduplicate the model (Ctrl+Shift+R), to see which regions repeat, where, and "
             "why each ends where it does."),
          parent),
      m_jobs(jobs), m_engine(std::move(engine)), m_options(new RegionRunOptions(this)), m_ui(std::make_unique<Ui::RegionsPane>()),
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
    connectViews();
    start();
}

RegionsPane::~RegionsPane() = default;

void RegionsPane::makeBody()
{
    auto* body = new QWidget(this);
    m_ui->setupUi(body);
    column().addWidget(body, 1);
    m_ui->rail->setModel(m_occurrences);
    m_ui->rail->setItemDelegate(new RailDelegate(document(), m_ui->rail));
    makeGraphs();
    m_elsewhere = new OccurrencesPanel(document(), *m_occurrences, m_ui->rail->selectionModel(), m_ui->body);
    m_ui->body->addWidget(m_elsewhere);
    m_ui->body->setStretchFactor(0, 1); // a larger pane gives its space to reasons and names
    m_ui->body->setStretchFactor(1, 2);
    m_ui->body->setStretchFactor(2, 1);
    m_ui->body->setSizes({168, 288, 200});
    QWidget* const fromLeft[] = {&cards(), &reasons(), &m_ui->side->rest(), m_ui->rail, m_tabs, &m_graph->canvas(), &elsewhere()};
    for (std::size_t i = 1; i < std::size(fromLeft); ++i)
        setTabOrder(fromLeft[i - 1], fromLeft[i]);
}

void RegionsPane::makeGraphs()
{
    m_tabs = new QTabBar(m_ui->middle); // Qt Designer has no tab bar
    m_tabs->setExpanding(false);
    m_tabs->setDocumentMode(true);
    m_tabs->setAccessibleName(tr("Subgraph and main graph"));
    m_tabs->addTab(tr("Subgraph"));
    m_tabs->addTab(tr("Main graph"));
    m_tabs->setTabToolTip(0, tr("The subgraph that all occurrences call"));
    m_tabs->setTabToolTip(1, tr("The model with calls of the subgraphs"));
    m_tabs->hide();
    m_graph = new RegionGraphView(m_jobs, m_engine, m_ui->graphs);
    link(*m_graph);
    m_ui->graphs->addWidget(m_graph);
    m_ui->graphsColumn->insertWidget(0, m_tabs);
}

QListView& RegionsPane::cards()
{
    return m_ui->side->cards();
}

QListView& RegionsPane::rail()
{
    return *m_ui->rail;
}

QListView& RegionsPane::reasons()
{
    return m_ui->side->reasons();
}

RegionCardsPanel& RegionsPane::side()
{
    return *m_ui->side;
}

int RegionsPane::currentRow() const
{
    return m_ui->rail->currentIndex().row();
}

void RegionsPane::connectViews()
{
    connect(m_options, &RegionRunOptions::runRequested, this, [this](const RegionOptions& options, bool share) {
        emit runRequested(share ? QStringLiteral("deduplicate") : QStringLiteral("findRegions"), asPassOptions(options));
    });
    connect(m_ui->side, &RegionCardsPanel::chosen, this, &RegionsPane::showCard);
    connect(m_ui->side, &RegionCardsPanel::nodesChosen, this, [this](const std::vector<NodeId>& nodes) {
        document().select(nodes);
        document().reveal();
    });
    connect(m_ui->rail->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_following && index.isValid())
            goTo(index.row(), !elsewhere().hasFocus());
    });
    // A click on the current row navigates there again.
    connect(m_ui->rail, &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), true); });
    connect(&elsewhere(), &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(&elsewhere(), &QListView::activated, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(m_ui->rail, &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, true); });
    connect(&elsewhere(), &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, false); });
    for (QListView* view : {m_ui->rail, &elsewhere()})
        view->viewport()->installEventFilter(this);
    connect(m_graph, &RegionGraphView::picked, this, &RegionsPane::pickPlaces);
    connect(m_graph, &GraphView::edgePicked, this, &RegionsPane::pickEdge);
    connect(m_graph, &RegionGraphView::placesHovered, this, &RegionsPane::hoverPlaces);
    connect(&document(), &Document::foundChanged, this, [this] {
        FrameScheduler::follow(*this, FrameScheduler::What::hits, this->document().found().size(), [this] { showFound(); });
    });
    for (QListView* view : {&cards(), m_ui->rail, &elsewhere()})
        connect(view, &QListView::customContextMenuRequested, this,
                [this, view](const QPoint& at) { showMenu(view->viewport()->mapToGlobal(at)); });
    connect(m_tabs, &QTabBar::currentChanged, this, &RegionsPane::showTab);
}

} // namespace sunder
