// How the Regions pane is put together.
#include "models/themed_icon.h"
#include "panes/regions/occurrence_delegate.h"
#include "panes/regions/rail_delegate.h"
#include "panes/regions/reason_delegate.h"
#include "panes/regions/region_card_delegate.h"
#include "panes/regions/regions_pane.h"

#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sunder {

namespace {

constexpr int kRailWidth = 28;

QVBoxLayout* columnOf(QWidget* widget, int margin)
{
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(margin, margin, margin, margin);
    column->setSpacing(4);
    return column;
}

} // namespace

RegionsPane::RegionsPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, ResultKind::regions, tr("Regions"),
                 tr("Find repeated regions (Ctrl+R), or deduplicate the model (Ctrl+Shift+R), to see here what repeats, where, and "
                    "why it ends there."), parent), m_jobs(jobs), m_engine(std::move(engine)),
      m_options(new RegionRunOptions(this)), m_stack(new QStackedWidget(this)), m_empty(new QLabel(this)),
      m_cards(new RegionCardModel(this)), m_occurrences(new OccurrenceModel(this)), m_reasons(new ReasonModel(this))
{
    header().addWidget(m_options);
    addExportButton(tr("Export graph or picture (Ctrl+E)"));
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole graph")), &QToolButton::clicked, this, [this] {
        if (GraphView* graph = graphInFront())
            graph->canvas().fitAll();
    });
    addWindowButtons();

    m_empty->setObjectName(QStringLiteral("hint"));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setMargin(24);
    auto* splitter = new QSplitter(Qt::Horizontal, m_stack);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(makeCards());
    splitter->addWidget(makeGraph());
    splitter->addWidget(makeElsewhere());
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({176, 320, 200});
    m_body = splitter;
    m_stack->addWidget(m_empty);
    m_stack->addWidget(m_body);
    column().addWidget(m_stack, 1);
    connectViews();
    start();
}

QListView* RegionsPane::makeList(QAbstractItemModel& model, const QString& name, const QString& description)
{
    auto* list = new QListView(this);
    list->setModel(&model);
    list->setMouseTracking(true);
    list->setResizeMode(QListView::Adjust); // delegates measure by the width
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list->setAccessibleName(name);
    list->setAccessibleDescription(description);
    return list;
}

QWidget* RegionsPane::makeCards()
{
    auto* side = new QWidget(this);
    side->setObjectName(QStringLiteral("panel"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(132);
    QVBoxLayout* column = columnOf(side, 8);
    m_cardView = makeList(*m_cards, tr("Groups of repeated regions"), tr("By what they save. The menu key offers to select or paint all occurrences."));
    m_cardView->setItemDelegate(new RegionCardDelegate(m_cardView));
    m_cardView->setContextMenuPolicy(Qt::CustomContextMenu);
    m_reasonView = makeList(*m_reasons, tr("Why these regions end where they do"), tr("Enter shows in the source what a line is about."));
    m_reasonView->setItemDelegate(new ReasonDelegate(m_reasonView));
    column->addWidget(m_cardView, 3);
    column->addWidget(m_reasonView, 2);
    return side;
}

QWidget* RegionsPane::makeGraph()
{
    auto* middle = new QWidget(this);
    middle->setMinimumWidth(kRailWidth + 120);
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_rail = makeList(*m_occurrences, tr("Occurrences in the order of the program"),
                      tr("Arrow keys go from one to the next; it is selected in the source."));
    m_rail->setItemDelegate(new RailDelegate(document(), m_rail));
    m_rail->setObjectName(QStringLiteral("rail"));
    m_rail->setFixedWidth(kRailWidth);
    m_rail->setUniformItemSizes(true);
    m_rail->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_rail->setContextMenuPolicy(Qt::CustomContextMenu);
    row->addWidget(m_rail);

    auto* graphs = new QWidget(middle);
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
    row->addWidget(graphs, 1);
    return middle;
}

QWidget* RegionsPane::makeElsewhere()
{
    auto* side = new QWidget(this);
    side->setObjectName(QStringLiteral("panel"));
    side->setAttribute(Qt::WA_StyledBackground);
    side->setMinimumWidth(132);
    QVBoxLayout* column = columnOf(side, 8);
    auto* title = new QLabel(tr("The same place elsewhere"), side);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    m_place = new QLabel(side);
    m_place->setObjectName(QStringLiteral("hint"));
    m_place->setWordWrap(true);
    m_elsewhere = makeList(*m_occurrences, tr("The same place elsewhere"),
                           tr("Where the selected op, or the whole region, stands in the other occurrences. Enter goes there."));
    m_elsewhere->setItemDelegate(new OccurrenceDelegate(document(), m_elsewhere));
    m_elsewhere->setSelectionModel(m_rail->selectionModel());
    m_elsewhere->setUniformItemSizes(true);
    m_elsewhere->setContextMenuPolicy(Qt::CustomContextMenu);
    title->setBuddy(m_elsewhere);
    m_paint = new QToolButton(side);
    m_paint->setObjectName(QStringLiteral("primary"));
    m_paint->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_paintOther = new QToolButton(side);
    m_paintOther->setObjectName(QStringLiteral("drop"));
    m_paintOther->setText(QStringLiteral("▾"));
    m_paintOther->setToolTip(tr("Paint all occurrences with another tag"));
    m_paintOther->setAccessibleName(m_paintOther->toolTip());
    m_paintOther->setPopupMode(QToolButton::InstantPopup);
    m_paintOther->setMenu(new QMenu(m_paintOther));
    for (QToolButton* button : {m_paint, m_paintOther})
        button->setFocusPolicy(Qt::StrongFocus);
    auto* paint = new QHBoxLayout;
    paint->setSpacing(2);
    paint->addWidget(m_paint, 1);
    paint->addWidget(m_paintOther);
    column->addWidget(title);
    column->addWidget(m_place);
    column->addWidget(m_elsewhere, 1);
    column->addSpacing(4);
    column->addLayout(paint);
    return side;
}

void RegionsPane::connectViews()
{
    connect(m_options, &RegionRunOptions::runRequested, this, &RegionsPane::runRequested);
    connect(m_cardView->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) { showCard(index.row()); });
    connect(m_rail->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_following && index.isValid())
            goTo(index.row(), !m_elsewhere->hasFocus());
    });
    // A click on the row where one is goes there again.
    connect(m_rail, &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), true); });
    connect(m_elsewhere, &QListView::clicked, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(m_elsewhere, &QListView::activated, this, [this](const QModelIndex& index) { goTo(index.row(), false); });
    connect(m_rail, &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, true); });
    connect(m_elsewhere, &QListView::entered, this, [this](const QModelIndex& index) { hoverRow(index, false); });
    for (QListView* view : {m_rail, m_elsewhere})
        view->viewport()->installEventFilter(this);
    const auto showReason = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const ReasonModel::Reason& reason = m_reasons->reasons()[static_cast<std::size_t>(index.row())];
        if (reason.nodes.empty())
            return;
        document().select(reason.nodes);
        document().reveal();
    };
    connect(m_reasonView, &QListView::clicked, this, showReason);
    connect(m_reasonView, &QListView::activated, this, showReason);
    connect(m_graph, &GraphView::pictureShown, this, [this] {
        if (std::exchange(m_isNewGraph, false))
            m_graph->showStart();
    });
    connect(m_graph, &RegionGraphView::picked, this, &RegionsPane::pickPlaces);
    connect(m_graph, &RegionGraphView::placesHovered, this, &RegionsPane::hoverPlaces);
    for (QListView* view : {m_cardView, m_rail, m_elsewhere})
        connect(view, &QListView::customContextMenuRequested, this,
                [this, view](const QPoint& at) { showMenu(view->viewport()->mapToGlobal(at)); });
    connect(m_paint, &QToolButton::clicked, this, [this] { paintAll(document().activeTag()); });
    connect(m_paintOther->menu(), &QMenu::aboutToShow, this, [this] {
        m_paintOther->menu()->clear();
        if (card() != nullptr)
            fillPaintMenu(*m_paintOther->menu(), card()->group);
    });
    connect(m_tabs, &QTabBar::currentChanged, this, &RegionsPane::showTab);
}

} // namespace sunder
