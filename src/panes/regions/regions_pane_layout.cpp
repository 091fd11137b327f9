// Creates the widgets of the Regions pane.

#include "document/document.h"
#include "models/tag_style_of.h"
#include "panes/frame_scheduler.h"
#include "panes/regions/occurrence_model.h"
#include "panes/regions/regions_pane.h"
#include "panes/regions/ui_regions_pane.h"

#include <QAbstractItemView>
#include <QMenu>
#include <QStyledItemDelegate>

#include <algorithm>

namespace sunder {
namespace {

/// Paints an occurrence as a small bar in the colors of its tags. The occurrences of a group divide the height of the rail.
class RailDelegate final : public QStyledItemDelegate {
    Q_OBJECT

public:
    RailDelegate(const Document& document, QObject* parent) : QStyledItemDelegate(parent), m_document(document) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Document& m_document;
};

constexpr int kSmallest = 4; ///< pixels per bar; more occurrences than fit are scrolled
constexpr int kLargest = 12;

void RailDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    painter->save();
    const int gap = option.rect.height() > 6 ? 2 : 1;
    const QRectF bar = QRectF(option.rect).adjusted(6, 0, -6, -gap);
    const auto shares = index.data(OccurrenceModel::SharesRole).value<TagShares>();
    const bool isTagged = std::any_of(shares.begin(), shares.end(), [](const TagShare& share) { return share.tag >= 0; });
    if (isTagged)
        paintTagStrip(*painter, bar, shares, shownLooksOf(m_document, theme), theme);
    else
        painter->fillRect(bar, mixed(theme.canvas, theme.faint, 0.5));
    painter->setBrush(Qt::NoBrush);
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->setPen(QPen(theme.selection, 2));
        painter->drawRect(bar.adjusted(-3, 1, 3, -1)); // within the row, so that adjacent rows do not paint over it
    } else if (option.state.testFlag(QStyle::State_MouseOver) || index.data(OccurrenceModel::LitRole).toBool()) {
        painter->setPen(QPen(theme.text, 1));
        painter->drawRect(bar.adjusted(-1.5, 0.5, 1.5, -0.5));
    }
    painter->restore();
}

QSize RailDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
    const int room = view == nullptr ? 0 : view->viewport()->height();
    return {16, std::clamp(room / std::max(1, index.model()->rowCount()), kSmallest, kLargest)};
}

} // namespace

RegionsPane::RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(
          document, RegionsOutcome::kKind, tr("Regions"),
          tr("Find repeated regions (Ctrl+R), or deduplicate the model (Ctrl+Shift+R), to see which regions repeat, where, and "
             "why each ends where it does."),
          parent),
      m_jobs(jobs), m_engine(std::move(engine)),
      m_options(new RunOptionsButton(tr("Options for finding and deduplicating regions"),
                                     {QStringLiteral("findRegions"), QStringLiteral("deduplicate")}, this)),
      m_ui(std::make_unique<Ui::RegionsPane>()), m_occurrences(new OccurrenceModel(document, this))
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
    m_ui->body->setSizes({176, 300, 120});
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
    connect(m_options, &RunOptionsButton::runRequested, this, &ResultPane::runRequested);
    connect(m_ui->side, &RegionCardsPanel::chosen, this, &RegionsPane::showCard);
    connect(m_ui->side, &RegionCardsPanel::nodesChosen, this, [this](const std::vector<NodeId>& nodes) {
        document().marks().select(nodes);
        document().marks().reveal();
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
    connect(&document().marks(), &Marks::foundChanged, this, [this] {
        FrameScheduler::follow(*this, FrameScheduler::What::hits, this->document().marks().found().size(),
                               [this] { showFound(); });
    });
    for (QListView* view : {&cards(), m_ui->rail, &elsewhere()})
        connect(view, &QListView::customContextMenuRequested, this,
                [this, view](const QPoint& at) { showMenu(view->viewport()->mapToGlobal(at)); });
    connect(m_tabs, &QTabBar::currentChanged, this, &RegionsPane::showTab);
}

} // namespace sunder

#include "regions_pane_layout.moc"
