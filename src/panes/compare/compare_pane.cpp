#include "panes/compare/compare_pane.h"

#include "canvas/picture_style.h"
#include "document/document.h"
#include "document/runs/compare_runs.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "models/themed_icon.h"
#include "panes/compare/comparison_model.h"
#include "panes/compare/comparison_summary.h"
#include "panes/compare/cut_times.h"
#include "panes/compare/ui_compare_pane.h"
#include "support/format.h"
#include "support/json_writer.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr const char* kKeptBefore = "before"; ///< run numbers in a viewState()
constexpr const char* kKeptAfter = "after";
constexpr const char* kKeptStep = "schedule";
constexpr const char* kKeptMicroBatches = "micro_batches";
constexpr const char* kKeptOptimizer = "optimizer";

/// Colors and names of the compared parts, modules, or groups, in the order of their assignments.
struct ComparisonLooks {
    std::vector<TagLook> before;
    std::vector<TagLook> after;
};

std::vector<TagLook> plainLooks(const Document& document, const TagAssignment& homes)
{
    std::vector<TagLook> looks;
    for (const InternedString name : homes.order) // the root has an empty path
        looks.push_back({name.empty() ? document.displayName() : text(name), {}, tagStyle(currentTheme(), looks.size())});
    return looks;
}

/// Returns the looks of two runs. Parts look as in every other view; a group of the second run has the color of its counterpart
/// in the first run.
ComparisonLooks comparisonLooks(const Document& document, const RunComparison& comparison, const RunResult& before,
                                const RunResult& after)
{
    if (const auto first = as<SplitOutcomePtr>(before), second = as<SplitOutcomePtr>(after); first && second)
        return {cutLooksOf(document, *first, currentTheme()), cutLooksOf(document, *second, currentTheme())};
    ComparisonLooks looks{plainLooks(document, comparison.before()), plainLooks(document, comparison.after())};
    if (comparison.kind() == ComparisonKind::regions) {
        std::size_t next = looks.before.size();
        for (const PartPair& pair : comparison.calls().parts)
            if (pair.after >= 0)
                looks.after[static_cast<std::size_t>(pair.after)].style = pair.before >= 0
                    ? looks.before[static_cast<std::size_t>(pair.before)].style
                    : tagStyle(currentTheme(), next++);
        for (std::vector<TagLook>* side : {&looks.before, &looks.after})
            for (TagLook& look : *side)
                look.code = look.name.size() <= 3 ? look.name : QString();
    }
    return looks;
}

QString nameWithNumber(const Run& run)
{
    return QObject::tr("%1 · %2, %3").arg(run.number).arg(nameOf(run), outcomeOf(run));
}

} // namespace

ComparePane::ComparePane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : Pane(tr("Compare"), parent), m_document(document), m_jobs(jobs),
      m_viewBefore(new GraphView(jobs, std::move(engine), QStringLiteral("compare"), this)),
      m_ui(std::make_unique<Ui::ComparePane>()), m_model(new ComparisonModel(this)), m_times(new CutTimes(document, jobs, this))
{
    addWindowButtons();
    auto* body = new QWidget(this);
    m_ui->setupUi(body);
    setThemedIcons(*body);
    column().addWidget(body, 1);
    m_ui->pictures->insertWidget(0, m_viewBefore);
    m_ui->both->setStretchFactor(0, 1);
    m_ui->both->setStretchFactor(1, 1);
    m_ui->both->setSizes({300, 200}); // relative sizes; by size hints, the graph would take nearly everything
    connectChoices();
    m_ui->rows->setModel(m_model);
    connect(m_ui->rows->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        std::vector<NodeId> nodes;
        for (const QModelIndex& row : m_ui->rows->selectionModel()->selectedRows())
            for (const NodeId id : m_model->nodesOf(row))
                nodes.push_back(id);
        if (nodes.empty())
            return;
        m_document.marks().select(std::move(nodes));
        m_document.marks().reveal();
    });
    connectCanvas(m_viewBefore->canvas());
    connectCanvas(*m_ui->after);
    linkCanvases();
    m_viewBefore->canvas().setAccessibleName(tr("The model, colored by the first run"));
    connect(&document, &Document::changed, this, &ComparePane::documentChanged);
    const auto mark = [this] { // moved ops are marked by solid rings
        std::vector<NodeId> nodes = m_document.marks().hovered();
        nodes.insert(nodes.end(), m_document.marks().found().begin(), m_document.marks().found().end());
        m_viewBefore->canvas().setCounterparts(nodes);
        m_ui->after->setCounterparts(nodes);
    };
    connect(&document.marks(), &Marks::hoverChanged, this, mark);
    connect(&document.marks(), &Marks::foundChanged, this, mark);
    connect(&document.marks(), &Marks::revealRequested, this, &ComparePane::reveal);
    link(*m_viewBefore);
    compare(0, 0);
}

ComparePane::~ComparePane() = default;

SharingTable& ComparePane::table()
{
    return *m_ui->rows;
}

CanvasWidget& ComparePane::canvasAfter()
{
    return *m_ui->after;
}

void ComparePane::connectChoices()
{
    connect(m_ui->chooseBefore, &QComboBox::activated, this,
            [this] { compare(m_ui->chooseBefore->currentData().toInt(), m_after); });
    connect(m_ui->chooseAfter, &QComboBox::activated, this,
            [this] { compare(m_before, m_ui->chooseAfter->currentData().toInt()); });
    connect(m_ui->swap, &QToolButton::clicked, this, [this] { compare(m_after, m_before); });
    for (const PipelineSchedule schedule : trainingSchedules())
        m_ui->schedule->addItem(text(name(schedule)), static_cast<int>(schedule));
    m_ui->schedule->insertSeparator(m_ui->schedule->count());
    m_ui->schedule->addItem(tr("Inference"), static_cast<int>(PipelineSchedule::inference));
    m_ui->schedule->setCurrentIndex(m_ui->schedule->findData(static_cast<int>(m_times->figures().step.schedule)));
    m_ui->microBatches->setValue(static_cast<int>(m_times->figures().step.microBatches));
    const auto chooseStep = [this] {
        m_times->setStep({static_cast<PipelineSchedule>(m_ui->schedule->currentData().toInt()),
                          static_cast<std::uint32_t>(m_ui->microBatches->value())},
                         static_cast<std::uint64_t>(m_ui->optimizer->currentIndex())); // SGD, momentum, Adam
        m_ui->optimizer->setEnabled(m_times->figures().step.schedule != PipelineSchedule::inference);
    };
    connect(m_ui->schedule, &QComboBox::currentIndexChanged, this, chooseStep);
    connect(m_ui->microBatches, &QSpinBox::valueChanged, this, chooseStep);
    connect(m_ui->optimizer, &QComboBox::currentIndexChanged, this, chooseStep);
    connect(m_times, &CutTimes::changed, this, &ComparePane::showTimes);
}

void ComparePane::connectCanvas(CanvasWidget& canvas)
{
    canvas.setTool(ToolKind::select);
    canvas.setLegendVisible(false);
    connect(&canvas, &CanvasWidget::hovered, &m_document,
            [this](const std::vector<NodeId>& nodes) { m_document.marks().setHovered(nodes); });
    connect(&canvas, &CanvasWidget::selectionRequested, this, [this](std::vector<NodeId> nodes, SelectionMode mode) {
        if (mode != SelectionMode::replace)
            nodes.insert(nodes.end(), m_document.marks().selection().source.begin(), m_document.marks().selection().source.end());
        m_picking = true;
        m_document.marks().select(std::move(nodes));
        m_picking = false;
    });
}

void ComparePane::showMoved()
{
    m_showMoved = m_viewBefore->canvas().picture()->items.empty();
    std::vector<NodeId> moved;
    for (const MovedNode& node : m_comparison->calls().moved)
        moved.push_back(node.node);
    if (!m_showMoved && !moved.empty())
        m_viewBefore->canvas().showNodes(moved);
}

void ComparePane::reveal()
{
    if (m_comparison && isFollowing() && !m_picking && !m_document.marks().selection().source.empty())
        m_viewBefore->showNodes(m_document.marks().selection().source);
}

/// Both canvases show one picture with the same camera; opening a module in either one opens it in both.
void ComparePane::linkCanvases()
{
    m_ui->after->setMinimapVisible(false);
    connect(m_viewBefore, &GraphView::pictureShown, this, [this] {
        m_ui->after->setPicture(m_viewBefore->canvas().scenePicture());
        m_ui->after->setCamera(m_viewBefore->canvas().camera());
        if (m_showMoved && m_comparison)
            showMoved();
    });
    connect(m_ui->after, &CanvasWidget::itemActivated, m_viewBefore, &GraphView::toggle);
    connect(m_ui->after, &CanvasWidget::edgeRequested, m_viewBefore, &GraphView::pickEdge);
    connect(m_ui->after, &CanvasWidget::edgeMenuRequested, m_viewBefore, &GraphView::pickForMenu);
    m_ui->after->setEdgeWords(
        [this](const Picture& picture, const PictureEdge& edge) { return m_viewBefore->edgeWords(picture, edge); });
    connect(m_viewBefore, &GraphView::edgePicked, &m_document.marks(), &Marks::selectEdge);
    const auto follow = [this](CanvasWidget& from, CanvasWidget& to) {
        connect(&from, &CanvasWidget::cameraChanged, this, [this, &to](const Camera& camera) {
            if (m_setting)
                return;
            m_setting = true;
            to.setCamera(camera);
            m_setting = false;
        });
    };
    follow(m_viewBefore->canvas(), *m_ui->after);
    follow(*m_ui->after, m_viewBefore->canvas());
    connect(m_ui->after, &CanvasWidget::zoomChosen, this, &Pane::zoomChosen);
}

void ComparePane::documentChanged(Changes what)
{
    if (what & (Change::runs | Change::program)) {
        if (m_document.runs().find(m_before) == nullptr || m_document.runs().find(m_after) == nullptr)
            compare(0, 0);
        fillChoices();
    }
    if (what & (Change::tagList | Change::devices))
        refreshTheme();
    if (what.testFlag(Change::devices))
        devicesChanged();
    if (what.testFlag(Change::selection))
        showSelection();
}

void ComparePane::fillChoices()
{
    for (const auto& [choice, shown] : {std::pair{m_ui->chooseBefore, m_before}, std::pair{m_ui->chooseAfter, m_after}}) {
        choice->clear();
        for (const Run& run : m_document.runs().list()) {
            choice->addItem(nameWithNumber(run), run.number);
            choice->setItemData(choice->count() - 1, folded(nameWithNumber(run)), Qt::ToolTipRole);
        }
        choice->setCurrentIndex(choice->findData(shown));
        choice->setEnabled(choice->count() > 0);
    }
}

void ComparePane::compare(int before, int after)
{
    m_before = before;
    m_after = after;
    fillChoices();
    const Run* first = m_document.runs().find(before);
    const Run* second = m_document.runs().find(after);
    const QString why = first != nullptr && second != nullptr ? whyNotComparable(*first, *second) : QString();
    if (first == nullptr || second == nullptr || !why.isEmpty()) {
        show(nullptr, why);
        return;
    }
    m_isNew = true;
    compute(*first, *second);
}

std::string ComparePane::viewState() const
{
    if (m_after == 0)
        return {};
    JsonWriter json(0);
    json.object([&] {
        json.member(kKeptAfter, m_after);
        json.member(kKeptBefore, m_before);
        json.member(kKeptMicroBatches, m_ui->microBatches->value());
        json.member(kKeptOptimizer, m_ui->optimizer->currentIndex());
        json.member(kKeptStep, m_ui->schedule->currentText().toStdString());
    });
    return json.takeRaw();
}

void ComparePane::restoreViewState(JsonValue kept)
{
    const int before = kept.member(kKeptBefore).intOr(0);
    const int after = kept.member(kKeptAfter).intOr(0);
    if (const int at = m_ui->schedule->findText(text(kept.member(kKeptStep).textOr({}))); at >= 0)
        m_ui->schedule->setCurrentIndex(at);
    m_ui->microBatches->setValue(kept.member(kKeptMicroBatches).intOr(m_ui->microBatches->value()));
    m_ui->optimizer->setCurrentIndex(std::clamp(kept.member(kKeptOptimizer).intOr(0), 0, m_ui->optimizer->count() - 1));
    if (m_document.runs().find(before) != nullptr && m_document.runs().find(after) != nullptr)
        compare(before, after);
}

void ComparePane::compute(const Run& first, const Run& second)
{
    m_jobs.start<RunComparisonPtr>(
        {.key = QStringLiteral("compare"),
         .title = tr("Compare run %1 with run %2").arg(second.number).arg(first.number),
         .quiet = true},
        [source = m_document.snapshot(), before = first.result, after = second.result, devices = m_document.devices().list()](
            ProgressMonitor& monitor) { return compareRuns(source, before, after, devices, monitor); },
        this,
        [this, before = first.number, after = second.number](Result<RunComparisonPtr> made) {
            if (!made || before != m_before || after != m_after)
                return;
            if (std::exchange(m_isNew, false)) {
                show(*made);
            } else {
                m_comparison = *made;
                m_times->setCuts(m_comparison, m_document.runs().find(m_before), m_document.runs().find(m_after));
                refreshTheme();
            }
        });
}

/// Pairs and names the devices of both runs again after a rename. The view and its position stay.
void ComparePane::devicesChanged()
{
    const Run* first = m_document.runs().find(m_before);
    const Run* second = m_document.runs().find(m_after);
    if (m_comparison && m_comparison->kind() == ComparisonKind::parts && first != nullptr && second != nullptr)
        compute(*first, *second);
}

void ComparePane::show(const RunComparisonPtr& comparison, const QString& why)
{
    m_comparison = comparison;
    m_times->setCuts(comparison, m_document.runs().find(m_before), m_document.runs().find(m_after));
    m_ui->stepBar->setVisible(comparison && comparison->kind() == ComparisonKind::parts);
    m_ui->both->setVisible(comparison != nullptr);
    m_ui->whyPage->setVisible(comparison == nullptr);
    m_ui->why->setText(!why.isEmpty()
                           ? withShortWords(why)
                           : tr("Compares two runs of one kind: cuts, module hierarchies, or searches for repeated regions. "
                                "Choose them above, or press C on a run in Runs (Ctrl+H)."));
    if (!comparison) {
        m_model->setComparison(nullptr, nullptr, {}, {});
        m_viewBefore->setGraph(nullptr, {}, {});
        m_ui->after->setPicture(nullptr);
        m_drawn.reset();
        header().setStatus({}, QStringLiteral("hint"), {});
        return;
    }
    if (m_drawn != m_document.snapshot()) {
        m_drawn = m_document.snapshot();
        m_viewBefore->setGraph({m_drawn, &m_drawn->program}, m_drawn->program.root, m_document.displayName());
    }
    refreshTheme();
    showMoved();
    const QString facts = comparisonSummary(*comparison).join(QStringLiteral(" · "));
    header().setStatus(facts, QStringLiteral("hint"), tr("The second run compared with the first: %1").arg(facts));
    emit compared();
}

QString ComparePane::summary() const
{
    return header().status();
}

PictureStyle ComparePane::styleOf(const TagAssignment& homes, std::vector<TagLook> looks) const
{
    PictureStyle style;
    style.theme = &currentTheme();
    style.tags = std::move(looks);
    style.tagOf = tagTable(m_document.graph(), homes);
    if (m_comparison->kind() != ComparisonKind::parts) // ops outside groups or modules do not need a tag
        std::replace(style.tagOf.begin(), style.tagOf.end(), PictureStyle::kUntagged, PictureStyle::kTakesNoTag);
    if (m_comparison->kind() == ComparisonKind::hierarchy) { // colors do not help with hundreds of modules
        style.tags.clear();
        style.tagOf.assign(style.tagOf.size(), PictureStyle::kTakesNoTag);
    }
    style.nodeBytes = m_document.snapshot()->sizes.parameterBytes;
    std::vector<NodeId> moved;
    for (const MovedNode& node : m_comparison->calls().moved)
        moved.push_back(node.node);
    style.found = NodeSet(moved);
    style.selected = NodeSet(m_document.marks().selection().source);
    return style;
}

void ComparePane::refreshTheme()
{
    const Run* before = m_document.runs().find(m_before);
    const Run* after = m_document.runs().find(m_after);
    if (!m_comparison || before == nullptr || after == nullptr)
        return;
    const ComparisonLooks looks = comparisonLooks(m_document, *m_comparison, before->result, after->result);
    m_viewBefore->canvas().setPictureStyle(styleOf(m_comparison->before(), looks.before));
    m_ui->after->setPictureStyle(styleOf(m_comparison->after(), looks.after));
    m_model->setComparison(m_document.snapshot(), m_comparison, looks.before, looks.after);
    m_model->setTimes(m_times->figures());
    m_ui->rows->expandToDepth(0);
    m_ui->rows->measureColumns();
}

void ComparePane::showTimes()
{
    if (!m_comparison)
        return;
    m_model->setTimes(m_times->figures());
    m_ui->rows->measureColumns();
}

void ComparePane::showSelection()
{
    if (!m_comparison)
        return;
    for (CanvasWidget* canvas : {&m_viewBefore->canvas(), m_ui->after}) {
        canvas->setSelectedNodes(m_document.marks().selection().source);
        canvas->setSelectedEdge(m_document.marks().selectedEdgeIn(0, m_viewBefore->graphId()));
    }
    reveal();
}

} // namespace sunder

#include "moc_compare_pane.cpp"
