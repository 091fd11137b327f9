// How a PartitionDagPane is put together: its widgets, its commands, what hears of what.
#include "panes/partition_dag/move_card.h"
#include "panes/partition_dag/move_trial.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/partition_dag_pane.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"

#include <QAction>
#include <QMenu>
#include <QSettings>

namespace sunder {

PartitionDagPane::PartitionDagPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(
          document, SplitOutcome::kKind, tr("Partition DAG"),
          tr("Partition the model over devices (Ctrl+Shift+P), or split it by tags (Ctrl+Return), to see its parts here in "
             "order of execution: what each takes, and what goes between them."),
          parent),
      m_jobs(jobs), m_preview(new PartitionPreview(document, jobs, this)), m_ui(std::make_unique<Ui::PartitionDagPane>()),
      m_view(makeBody()), m_tensors(m_ui->tensors),
      m_graphs(new PartGraphs(document, jobs, std::move(engine), *m_view->viewport(), this)), m_card(new MoveCard(this)),
      m_trial(new MoveTrial(jobs, this))
{
    build();
    addCommands();
    connectView();
    connect(m_preview, &PartitionPreview::changed, this, [this] {
        measureCut();
        showStatus();
        showNotice();
    });
    start();
}

PartitionDagPane::~PartitionDagPane() = default;

DagView* PartitionDagPane::makeBody()
{
    auto* body = new QWidget(this);
    m_ui->setupUi(body);
    column().addWidget(body, 1);
    return m_ui->dagView;
}

void PartitionDagPane::build()
{
    m_ui->notice->hide();
    m_ui->splitter->setStretchFactor(0, 1);
    m_tensors->hide();
    connect(m_ui->noticeButton, &QPushButton::clicked, this, [this] {
        if (m_preview->state() == PartitionPreview::State::ready)
            m_preview->keep();
        else
            emit splitRequested();
    });
    m_listHeight = QSettings().value(QStringLiteral("partitionDag/listHeight")).toInt();
    connect(m_ui->splitter, &QSplitter::splitterMoved, this, [this] {
        m_listHeight = m_tensors->height();
        QSettings().setValue(QStringLiteral("partitionDag/listHeight"), m_listHeight);
    });
    connect(m_tensors, &TensorList::closeRequested, this, &PartitionDagPane::closeList);
    connect(m_tensors, &TensorList::selected, this, [this](const std::vector<NodeId>& nodes) {
        m_picking = true;
        this->document().select(nodes);
        this->document().reveal();
        m_picking = false;
    });
    connect(m_card, &MoveCard::accepted, this, [this] {
        const std::vector<NodeId> nodes = m_moving;
        const int target = m_target;
        cancelMove();
        makeMove(nodes, target);
    });
    connect(m_card, &MoveCard::stepped, this, &PartitionDagPane::moveSelection);
    connect(m_card, &MoveCard::rejected, this, &PartitionDagPane::cancelMove);
}

void PartitionDagPane::addCommands()
{
    const auto add = [this](const QString& text, const QKeySequence& key, auto what) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WindowShortcut); // while the pane is to be seen
        addAction(action);
        connect(action, &QAction::triggered, this, what);
    };
    // Many desktops keep Ctrl+Alt+arrow for themselves: M does the same, and arrows on the card go on.
    add(tr("Move to another part"), Qt::Key_M, [this] { moveCurrent(); });
    add(tr("Move to the next part"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down), [this] { moveSelection(1); });
    add(tr("Move to the part before"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up), [this] { moveSelection(-1); });
    QToolButton* more = header().addButton(QStringLiteral("down"), tr("What can be done with this cut"));
    connect(more, &QToolButton::clicked, this, [this, more] {
        QMenu menu(this);
        fillMenu(menu, m_view->current());
        menu.exec(more->mapToGlobal(QPoint(0, more->height())));
    });
    connect(header().addButton(QStringLiteral("fit"), tr("Show all parts")), &QToolButton::clicked, m_view, &DagView::fit);
    addExportButton(tr("Export parts, graph or picture (Ctrl+E)"));
    addWindowButtons();
}

void PartitionDagPane::connectView()
{
    connect(m_view, &DagView::picked, this, &PartitionDagPane::pick);
    connect(m_view, &DagView::activated, this, &PartitionDagPane::activate);
    connect(m_view, &DagView::foldRequested, this, [this](int box, bool unfolds) { unfolds ? unfold(box) : fold(box); });
    connect(m_graphs, &PartGraphs::foldRequested, this, [this](int part) { fold(m_view->content().boxOf(part)); });
    connect(m_graphs, &PartGraphs::made, this, [this](GraphView* graph) { link(*graph); });
    connect(m_view, &DagView::dragStarted, this, [this](DagPlace place) {
        if (const DagHandle* handle = handleAt(place))
            dragHandle(*handle);
    });
    connect(m_view, &DagView::hovered, this, &PartitionDagPane::hover);
    connect(m_view, &DagView::menuRequested, this, [this](DagPlace place, const QPoint& at) {
        QMenu menu(this);
        fillMenu(menu, place);
        menu.exec(at);
    });
    connect(m_view, &DagView::dragged, this, [this](const std::vector<NodeId>& nodes, int box) {
        if (box < 0 || !m_measure) {
            m_draggedOver = -1;
            m_trial->cancel();
            m_card->hide();
            m_view->setTarget(-1);
        } else if (box != m_draggedOver || nodes != m_dragged) {
            m_draggedOver = box;
            m_dragged = nodes;
            previewMove(nodes, box, false);
        }
    });
    connect(m_view, &DagView::dropped, this, [this](const std::vector<NodeId>& nodes, int box) { makeMove(nodes, box); });
}

} // namespace sunder
