#include "panes/partition_dag/partition_dag_pane.h"

#include "document/passes/partition_pass.h"
#include "document/text.h"
#include "io/side_files/project_file.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/bar_legend.h"
#include "panes/partition_dag/boundary_list.h"
#include "panes/partition_dag/dag_menu.h"
#include "panes/partition_dag/dag_nodes.h"
#include "panes/partition_dag/dag_painter.h"
#include "panes/partition_dag/dag_texts.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/shown_cut.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"
#include "support/json_writer.h"

#include <QAction>

#include <algorithm>
#include <array>
#include <utility>

namespace sunder {
namespace {

constexpr const char* kKeptTorchCount = "torch_count"; ///< in a viewState()
constexpr const char* kKeptZoom = "zoom";
constexpr const char* kKeptCorner = "corner";
constexpr const char* kKeptUnfolded = "unfolded"; ///< parts

} // namespace

PartitionDagPane::PartitionDagPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, SplitOutcome::kKind, tr("Partition DAG"),
                 tr("Partition the model over devices (Ctrl+Alt+P), or split it by tags (Ctrl+Return), to see its parts in "
                    "execution order, with their memory and the values between them."),
                 parent),
      m_cut(new ShownCut(document, jobs, this)), m_ui(std::make_unique<Ui::PartitionDagPane>()), m_view(makeBody()),
      m_graphs(new PartGraphs(document, jobs, std::move(engine), *m_view, *m_cut, this)),
      m_list(new BoundaryList(*m_view, *m_ui->tensors, *m_ui->splitter, *m_ui->legend, this)),
      m_mover(new PartMover(document, jobs, *m_view, *this)), m_texts(new DagTexts(*m_ui, document, *m_cut, *m_mover, *this)),
      m_menu(new DagMenu(document, *m_view, *m_cut, *m_mover, this))
{
    addCommands();
    connectParts();
    connectView();
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

void PartitionDagPane::addCommands()
{
    const auto add = [this](const QString& text, const QKeySequence& key, auto what) {
        auto* action = new QAction(text, this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WindowShortcut); // active while the pane is visible
        addAction(action);
        connect(action, &QAction::triggered, this, what);
    };
    // Many desktops reserve Ctrl+Alt+arrow. M does the same, and the arrow keys continue on the card.
    add(tr("Move to another part"), Qt::Key_M, [this] { m_mover->moveCurrent(); });
    add(tr("Move to the next part"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Down), [this] { m_mover->moveSelection(1); });
    add(tr("Move to the previous part"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Up), [this] { m_mover->moveSelection(-1); });
    QToolButton* more = header().addButton(QStringLiteral("down"), tr("Actions for this cut"));
    connect(more, &QToolButton::clicked, this, [this, more] {
        m_menu->run(m_view->current(), m_view->laneAt(m_view->viewRectOf(m_view->current()).center().toPoint()),
                    more->mapToGlobal(QPoint(0, more->height())));
    });
    connect(header().addButton(QStringLiteral("fit"), tr("Show all parts")), &QToolButton::clicked, m_view, &DagView::fit);
    addExportButton(tr("Export parts, graph, or picture (Ctrl+E)"));
    addWindowButtons();
}

void PartitionDagPane::connectParts()
{
    connect(m_ui->memory, &QComboBox::currentIndexChanged, m_cut, [this](int index) { m_cut->setCountsAsTorch(index == 1); });
    connect(m_cut, &ShownCut::measured, this, &PartitionDagPane::showContent);
    connect(m_cut, &ShownCut::renumbered, m_graphs, &PartGraphs::update);
    connect(&m_cut->preview(), &PartitionPreview::changed, this, [this] {
        showStatus();
        m_texts->showNotice();
    });
    connect(m_texts, &DagTexts::splitRequested, this, &PartitionDagPane::splitRequested);
    connect(m_texts, &DagTexts::partitionRequested, this, &PartitionDagPane::partitionRequested);
    connect(m_mover, &PartMover::message, this, &PartitionDagPane::message);
    connect(m_mover, &PartMover::replacementAsked, this, &PartitionDagPane::replacementAsked);
    connect(m_graphs, &PartGraphs::made, this, [this](GraphView* graph) { link(*graph); });
    connect(m_graphs, &PartGraphs::roomWanted, this, &PartitionDagPane::roomWanted);
    connect(m_graphs, &PartGraphs::partActivated, this, &PartitionDagPane::partActivated);
    connect(m_graphs, &PartGraphs::message, this, &PartitionDagPane::message);
    connect(m_list, &BoundaryList::roomWanted, this,
            [this](int wanted) { emit roomWanted(height() - m_ui->splitter->height() + wanted); });
    connect(m_ui->tensors, &TensorList::selected, this, [this](const std::vector<NodeId>& nodes) {
        m_picking = true;
        document().marks().select(nodes);
        document().marks().reveal();
        m_picking = false;
    });
}

void PartitionDagPane::connectView()
{
    const auto fold = [this](int box, bool unfolds) { unfolds ? m_graphs->unfold(box) : m_graphs->fold(box); };
    connect(m_view, &DagView::zoomed, this, &Pane::zoomed);
    connect(m_view, &DagView::picked, this, &PartitionDagPane::pick);
    connect(m_view, &DagView::activated, this, &PartitionDagPane::activate);
    connect(m_view, &DagView::foldRequested, m_graphs, fold);
    connect(m_view, &DagView::hovered, this, &PartitionDagPane::hover);
    connect(m_view, &DagView::menuRequested, m_menu, &DagMenu::run);
    connect(m_menu, &DagMenu::picked, this, &PartitionDagPane::pick);
    connect(m_menu, &DagMenu::foldRequested, m_graphs, fold);
    connect(m_menu, &DagMenu::partActivated, this, &PartitionDagPane::partActivated);
    connect(m_menu, &DagMenu::answered, this, &PartitionDagPane::answered);
    connect(m_menu, &DagMenu::listRequested, this, &PartitionDagPane::listWithFocus);
}

// Content -----------------------------------------------------------------------------------------

void PartitionDagPane::showResult()
{
    m_kept.clear();
    m_mover->forgetTakenOver();
    m_mover->cancel();
    m_cut->setRun(runNumber(), result<SplitOutcomePtr>());
    m_texts->showNotice();
}

void PartitionDagPane::showProposal(const TagAssignment* tags, const BalancePlanPtr& plan)
{
    m_mover->cancel();
    m_cut->setProposal(tags, plan);
    m_texts->showNotice();
    showState();
}

bool PartitionDagPane::isEmpty() const
{
    return !m_cut->hasProposal() && ResultPane::isEmpty();
}

void PartitionDagPane::showContent()
{
    m_list->close();
    m_mover->setMeasure(m_cut->measure());
    m_graphs->update();
    setContent();
    showSelection(document().marks().selectedIn(m_cut->measuredNumber()));
    if (m_cut->measure())
        lookAgain();
}

void PartitionDagPane::setContent()
{
    if (const CutMeasurePtr& measure = m_cut->measure()) {
        if (m_cut->isProposalMeasured() && m_cut->proposedPlan()) {
            const BalancePlan& plan = *m_cut->proposedPlan();
            DagContent content = dagContent(*measure, proposedLooksOf(document(), plan.tags, currentTheme()),
                                            devicesOfStages(plan));
            addLoads(content, plan);
            m_view->setContent(std::move(content));
        } else {
            const bool isProposal = m_cut->isProposalMeasured();
            DagContent content = dagContent(*measure,
                                            isProposal ? proposedLooksOf(document(), measure->cut()->tags, currentTheme())
                                                       : partLooksOf(document(), *measure->cut(), currentTheme()),
                                            document().devices().list());
            document().costs().want();
            addCosts(content, *measure, document());
            if (const SplitOutcomePtr& cut = measure->cut();
                !isProposal && cut && !cut->plan && document().loads().areOfInterest()) {
                document().loads().want();
                addLoads(content, *measure, document());
            }
            m_view->setContent(std::move(content));
        }
    } else
        m_view->setContent({});
    m_graphs->place();
    m_texts->showTotals(m_view->content());
}

void PartitionDagPane::refreshTheme()
{
    if (m_cut->measure()) {
        const DagHit listed = m_list->place();
        const DagHit current = m_view->current();
        setContent(); // devices may have changed or been renamed
        m_graphs->refreshTheme();
        showSelection(m_selected);
        if (m_view->content().boxes.size() > 0 && m_view->boxOf(current) < static_cast<int>(m_view->content().boxes.size()))
            m_view->setCurrent(current);
        if (listed.kind == DagHit::Kind::cutEdge)
            m_view->setOpenCutEdge(listed.index);
    }
    update();
}

void PartitionDagPane::showStatus()
{
    if (const BalancePlanPtr& plan = m_cut->proposedPlan()) {
        header().setStatus(tr("Preview · %1").arg(text(describeQuality(plan->result))),
                           plan->result.isProven ? QStringLiteral("proven") : QStringLiteral("warning"),
                           tr("Found by the dialog “Balance”, which turns it into tags. Not a run yet."));
        return;
    }
    if (m_cut->hasProposal()) {
        header().setStatus(tr("Preview · by support"), QStringLiteral("hint"),
                           tr("Made by the dialog “Tag by support”, which turns it into tags. Not a run yet."));
        return;
    }
    const PartitionPreview& preview = m_cut->preview();
    if (preview.state() == PartitionPreview::State::none) {
        ResultPane::showStatus();
        return;
    }
    switch (preview.state()) {
    case PartitionPreview::State::running:
        header().setStatus(tr("Preview for the changed devices: partitioning…"), QStringLiteral("hint"),
                           tr("The devices have changed since run %1.").arg(runNumber()));
        break;
    case PartitionPreview::State::ready: {
        const Verdict verdict = preview.outcome()->report.verdict;
        header().setStatus(tr("Preview · %1 · %2").arg(nameOf(preview.outcome()->plan->request), textOf(verdict)),
                           verdict == Verdict::same ? QStringLiteral("proven") : QStringLiteral("warning"),
                           tr("Partition for the current device table. Not kept as a run."));
        break;
    }
    default: header().setStatus(tr("Preview · does not fit these devices"), QStringLiteral("warning"), preview.why()); break;
    }
}

// Links: the selection is kept as nodes of the source, and the cut maps these to parts, so previews are linked as well. ----------

void PartitionDagPane::showSelection(const std::vector<NodeRef>& selected)
{
    // `selected` refers to the run, even while a preview is shown.
    m_selected = m_cut->isRunMeasured() ? selected : document().marks().selectedIn(m_cut->measuredNumber());
    m_graphs->showSelection(m_selected);
    markHandles();
    const std::vector<NodeId>& source = document().marks().selection().source;
    std::vector<std::size_t> perBox(m_view->content().boxes.size(), 0);
    if (m_cut->measure())
        for (const NodeId id : source)
            if (const int box = m_view->content().boxOf(m_cut->measure()->partOf(id)); box >= 0)
                ++perBox[static_cast<std::size_t>(box)];
    m_view->setSelectedOps(std::move(perBox));
    if (m_list->isOpen() && !m_picking)
        m_ui->tensors->markSelected(source);
}

void PartitionDagPane::markHandles()
{
    const std::vector<NodeId>& source = document().marks().selection().source; // sorted
    constexpr std::size_t kMaxWithLines = 12; // with more, the lines would clutter the view
    std::vector<char> perShared;
    for (const DagShared& value : m_view->content().shared)
        perShared.push_back(source.size() <= kMaxWithLines && std::binary_search(source.begin(), source.end(), value.node) ? 1
                                                                                                                           : 0);
    m_view->setSelectedShared(std::move(perShared));
    std::vector<char> perHandle;
    for (const DagHandle& handle : m_view->content().handles)
        perHandle.push_back(std::binary_search(source.begin(), source.end(), handle.node) ? 1 : 0);
    m_view->setSelectedHandles(std::move(perHandle));
}

void PartitionDagPane::showHovered(const std::vector<NodeRef>& hovered)
{
    m_graphs->showHovered(m_cut->isRunMeasured()
                              ? hovered
                              : document().runs().counterpartsIn(m_cut->measuredNumber(), document().marks().hovered()));
    std::vector<char> perBox(m_view->content().boxes.size(), 0);
    if (m_cut->measure() && !m_view->underMouse())
        for (const NodeId id : document().marks().hovered())
            if (const int box = m_view->content().boxOf(m_cut->measure()->partOf(id)); box >= 0)
                perBox[static_cast<std::size_t>(box)] = 1;
    m_view->setHoveredBoxes(std::move(perBox));
}

void PartitionDagPane::reveal()
{
    m_graphs->reveal();
    const std::vector<std::size_t>& selected = m_view->marks().selectedOps;
    const auto first = std::find_if(selected.begin(), selected.end(), [](std::size_t ops) { return ops > 0; });
    if (!m_picking && first != selected.end())
        m_view->ensureShown({DagHit::Kind::box, static_cast<int>(first - selected.begin())});
}

void PartitionDagPane::documentChanged(Changes what)
{
    if (what & (Change::tags | Change::outcome | Change::devices))
        m_texts->showNotice();
    if (what.testFlag(Change::costs) && m_cut->measure())
        refreshTheme(); // the places of the keyboard and of the list stay
    if (what.testFlag(Change::costs))
        m_mover->costsChanged();
    if (what.testFlag(Change::selection))
        m_mover->selectionChanged();
}

std::vector<NodeId> PartitionDagPane::nodesOf(DagHit place) const
{
    return m_cut->measure() ? nodesAt(*m_view, *m_cut->measure(), place) : std::vector<NodeId>();
}

void PartitionDagPane::pick(DagHit place, SelectionMode mode)
{
    const DagHandle* handle = handleAt(*m_view, place);
    const bool isOne = handle != nullptr || sharedAt(*m_view, place) != nullptr;
    if (place.kind != DagHit::Kind::box && !isOne) {
        list(place);
        return;
    }
    m_picking = true;
    document().marks().select(withPicked(document().marks().selection().source, nodesOf(place), mode));
    if (isOne)
        document().marks().reveal();
    m_picking = false;
}

void PartitionDagPane::activate(DagHit place)
{
    if (const DagHandle* handle = handleAt(*m_view, place)) {
        m_mover->moveHandle(*handle);
    } else if (place.kind != DagHit::Kind::box) {
        listWithFocus(place);
    } else if (!m_view->layoutOfContent().isUnfolded(static_cast<std::size_t>(place.index))) {
        m_graphs->unfold(place.index);
    } else if (RunGraphView* graph = m_graphs->graphOf(m_view->content().boxes[static_cast<std::size_t>(place.index)].part)) {
        graph->canvas().setFocus(); // a second Enter moves into the graph
    }
}

void PartitionDagPane::hover(DagHit place)
{
    constexpr std::size_t kMaxHovered = 20'000; // more would be slow at every mouse move
    std::vector<NodeId> nodes = nodesOf(place);
    document().marks().setHovered(nodes.size() > kMaxHovered ? std::vector<NodeId>() : std::move(nodes));
}

void PartitionDagPane::list(DagHit place)
{
    if (m_cut->measure())
        m_list->open(*m_cut->measure(), place, document().marks().selection().source);
}

void PartitionDagPane::listWithFocus(DagHit place)
{
    list(place);
    m_ui->tensors->view().setFocus();
}

// View --------------------------------------------------------------------------------------------

std::string PartitionDagPane::viewState() const
{
    if (!m_cut->measure())
        return m_kept;
    std::vector<std::int32_t> unfolded;
    for (const DagBox& box : m_view->content().boxes)
        if (m_graphs->graphOf(box.part) != nullptr)
            unfolded.push_back(box.part);
    JsonWriter json(0);
    json.object([&] {
        if (!m_view->isFitted()) {
            json.key(kKeptCorner);
            json.list(std::array{m_view->corner().x(), m_view->corner().y()}, [&json](double at) { json.figure(at); });
        }
        if (m_cut->countsAsTorch())
            json.member(kKeptTorchCount, true);
        json.memberIfAny(kKeptUnfolded, unfolded);
        if (!m_view->isFitted()) {
            json.key(kKeptZoom);
            json.figure(m_view->zoom());
        }
    });
    std::string state = json.takeRaw();
    return state == "{}" ? std::string() : state;
}

void PartitionDagPane::restoreViewState(JsonValue kept)
{
    m_kept = kept ? kept.raw() : std::string();
    const bool countsAsTorch = kept.member(kKeptTorchCount).isTrue();
    const bool isAsNow = countsAsTorch == m_cut->countsAsTorch();
    m_ui->memory->setCurrentIndex(countsAsTorch ? 1 : 0); // measures the cut again if that changes
    if (isAsNow && m_cut->measure())
        lookAgain();
}

void PartitionDagPane::lookAgain()
{
    JsonTape tape;
    if (!tape.parse(std::exchange(m_kept, {}), kMaxProjectDepth))
        return;
    const JsonValue kept = tape.root();
    for (JsonValue part = kept.member(kKeptUnfolded).firstItem(); part; part = part.nextItem())
        m_graphs->unfold(m_view->content().boxOf(part.intOr(-1)));
    const double zoom = kept.member(kKeptZoom).numberOr(0);
    const JsonValue corner = kept.member(kKeptCorner);
    if (zoom > 0 && corner.count() == 2)
        m_view->look(zoom, {corner.firstItem().numberOr(0), corner.firstItem().nextItem().numberOr(0)});
}

std::shared_ptr<const Drawing> PartitionDagPane::drawing() const
{
    return drawingOf(m_view->content(), m_view->layoutOfContent().size.width(), m_view->zoom(), m_view->seen());
}

void PartitionDagPane::zoomBy(double factor)
{
    if (RunGraphView* graph = m_graphs->graphWithFocus())
        graph->canvas().zoomBy(factor);
    else
        m_view->zoomBy(factor);
}

double PartitionDagPane::zoom()
{
    const RunGraphView* graph = m_graphs->graphWithFocus();
    return graph != nullptr ? graph->canvas().camera().zoom() : m_view->zoom();
}

void PartitionDagPane::setZoom(double zoom)
{
    if (RunGraphView* graph = m_graphs->graphWithFocus())
        graph->canvas().setZoom(zoom);
    else
        m_view->zoomBy(zoom / m_view->zoom());
}

void PartitionDagPane::showAll()
{
    if (RunGraphView* graph = m_graphs->graphWithFocus())
        graph->canvas().fitAll();
    else
        m_view->fit();
}

void PartitionDagPane::resizeEvent(QResizeEvent* event)
{
    ResultPane::resizeEvent(event);
    m_texts->fit();
    m_mover->placeAgain();
}

} // namespace sunder

#include "moc_partition_dag_pane.cpp"
