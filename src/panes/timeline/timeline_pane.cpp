#include "panes/timeline/timeline_pane.h"

#include "analysis/training/backward_tags.h"
#include "document/text.h"
#include "models/look.h"
#include "models/tag_style_of.h"
#include "panes/timeline/timeline_view.h"
#include "panes/timeline/ui_timeline_pane.h"
#include "support/json_writer.h"
#include "text/amounts.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

constexpr const char* kKeptSchedule = "schedule"; ///< in a viewState()
constexpr const char* kKeptBatches = "micro_batches";
constexpr const char* kKeptPerDevice = "stages_per_device";
constexpr const char* kKeptOptimizer = "optimizer";
constexpr const char* kKeptSweepBatches = "sweep_micro_batches";
constexpr const char* kKeptSweepStages = "sweep_stages";
constexpr std::uint32_t kMostPerDevice = 8;

} // namespace

TimelinePane::TimelinePane(Document& document, Jobs& jobs, QWidget* parent)
    : Pane(tr("Timeline"), parent), m_document(document), m_jobs(jobs), m_ui(std::make_unique<Ui::TimelinePane>())
{
    auto* body = new QWidget(this);
    m_ui->setupUi(body);
    column().addWidget(body, 1);
    m_ui->notice->hide();
    m_ui->sweep->start(document, jobs);
    for (const PipelineSchedule schedule : trainingSchedules())
        m_ui->schedule->addItem(text(name(schedule)), static_cast<int>(schedule));
    m_ui->schedule->insertSeparator(m_ui->schedule->count());
    m_ui->schedule->addItem(tr("Inference"), static_cast<int>(PipelineSchedule::inference));
    m_ui->schedule->setCurrentIndex(m_ui->schedule->findData(static_cast<int>(PipelineSchedule::oneForwardOneBackward)));
    m_ui->perDevice->addItem(tr("Stages: auto"), 0);
    for (std::uint32_t stages = 1; stages <= kMostPerDevice; ++stages)
        m_ui->perDevice->addItem(tr("%1 per device").arg(stages), stages);
    connectChoices();
    connect(&document, &Document::changed, this, &TimelinePane::documentChanged);
    connect(&document.marks(), &Marks::revealRequested, this, &TimelinePane::showSelection);
    connect(m_ui->view, &TimelineView::picked, this, &TimelinePane::pick);
    connect(m_ui->view, &TimelineView::hovered, this, &TimelinePane::hover);
    connect(m_ui->view, &TimelineView::zoomed, this, &Pane::zoomed);
    connect(m_ui->sweep, &SweepPage::opened, this, &TimelinePane::openRow);
    connect(m_ui->balance, &QPushButton::clicked, this, &TimelinePane::balanceRequested);
    connect(m_ui->useTags, &QPushButton::clicked, this, &TimelinePane::useTags);
    connect(m_ui->back, &QPushButton::clicked, this, [this] { showOther({}); });
    connect(header().addButton(QStringLiteral("fit"), tr("Show the whole step (Home)")), &QToolButton::clicked, m_ui->view,
            &TimelineView::fit);
    addExportButton(tr("Export the timeline as a picture, CSV, or trace (Ctrl+E)"));
    addWindowButtons();
    showWhy({});
}

TimelinePane::~TimelinePane() = default;

TimelineView& TimelinePane::view()
{
    return *m_ui->view;
}

void TimelinePane::connectChoices()
{
    connect(m_ui->schedule, &QComboBox::currentIndexChanged, this, &TimelinePane::refresh);
    connect(m_ui->microBatches, &QSpinBox::valueChanged, this, &TimelinePane::refresh);
    connect(m_ui->perDevice, &QComboBox::currentIndexChanged, this, &TimelinePane::refresh);
    connect(m_ui->optimizer, &QComboBox::currentIndexChanged, this, [this] {
        m_model.reset();
        refresh();
    });
    connect(m_ui->pages, &QTabWidget::currentChanged, this, &TimelinePane::showPage);
}

TimelinePane::Choices TimelinePane::choices() const
{
    return {static_cast<PipelineSchedule>(m_ui->schedule->currentData().toInt()),
            static_cast<std::uint32_t>(m_ui->microBatches->value()), m_ui->perDevice->currentData().toUInt()};
}

std::uint64_t TimelinePane::statesPerParameter() const
{
    return static_cast<std::uint64_t>(m_ui->optimizer->currentIndex()); // SGD, momentum, Adam
}

void TimelinePane::documentChanged(Changes what)
{
    const std::size_t measured = m_document.costs().measuredRead();
    const bool isOther = std::exchange(m_measuredRead, measured) != measured;
    if (isOther
        || (what & (Change::program | Change::tags | Change::tagList | Change::devices | Change::sizes | Change::operators))) {
        if (!m_isProposal)
            m_other.reset();
        m_model.reset();
        m_ui->sweep->markOutdated();
        refresh();
    }
    if (what & (Change::selection | Change::tags | Change::tagList))
        showSelection();
}

void TimelinePane::showEvent(QShowEvent* event)
{
    Pane::showEvent(event);
    if (m_isStale)
        refresh();
    showPage();
}

TimelinePane::Made TimelinePane::make(const Program& program, const TagAssignment& tags, const PipelineModelOptions& options,
                                      const Choices& choices, std::shared_ptr<const PipelineModel> model,
                                      ProgressMonitor& monitor)
{
    Made made{.model = std::move(model)};
    if (!made.model) {
        Result<PipelineModel> of = pipelineModel(program, tags, options, monitor);
        if (!of) {
            made.refusal = of.error();
            return made;
        }
        made.model = std::make_shared<const PipelineModel>(std::move(*of));
    }
    std::optional<std::uint32_t> ranks;
    if (choices.perDevice > 0 && !hasOneStagePerRank(choices.schedule))
        ranks = std::max(1U, static_cast<std::uint32_t>(made.model->stages.size()) / choices.perDevice);
    const Result<PipelineSizes> sizes = pipelineSizes(choices.schedule, *made.model, choices.microBatches, ranks);
    Result<PlannedSchedule> plan = sizes ? plannedSchedule(choices.schedule, *sizes, made.model)
                                         : Result<PlannedSchedule>(tl::unexpected<Error>(sizes.error()));
    if (plan)
        made.content = timelineContent(std::move(*plan));
    else
        made.refusal = plan.error();
    return made;
}

void TimelinePane::refresh()
{
    m_ui->perDevice->setEnabled(!hasOneStagePerRank(choices().schedule));
    m_ui->optimizer->setEnabled(choices().schedule != PipelineSchedule::inference);
    m_ui->sweep->setChoices(statesPerParameter(), choices().schedule == PipelineSchedule::inference);
    m_isStale = true;
    showNotice();
    if (!isVisible())
        return;
    if (!m_document.isOpen() || (m_document.tagCount() == 0 && !m_other)) {
        take({.refusal = Error{ErrorCode::refused, "the model has no tags"}});
        return;
    }
    m_isStale = false;
    const PipelineModelOptions options{.devices = m_document.devices().list(),
                                       .measured = m_model ? MeasuredCosts() : m_document.costs().measured(),
                                       .statesPerParameter = statesPerParameter()};
    m_jobs.start<std::shared_ptr<Made>>(
        {.key = QStringLiteral("timeline"), .title = tr("Compute the timetable"), .quiet = true},
        [snapshot = m_document.snapshot(), tags = shownTags(), options, choices = choices(),
         model = m_model](ProgressMonitor& monitor) -> Result<std::shared_ptr<Made>> {
            return std::make_shared<Made>(make(snapshot->program, tags, options, choices, model, monitor));
        },
        this,
        [this](const Result<std::shared_ptr<Made>>& made) {
            if (made)
                take(std::move(**made));
            else if (isFault(made.error()))
                showWhy(sentence(describe(made.error())));
        });
}

void TimelinePane::take(Made made)
{
    m_model = made.model;
    std::shared_ptr<const PlannedSchedule> old = plan();
    m_ui->view->setContent(std::move(made.content));
    Jobs::discard(std::move(old));
    findTags();
    showLooks();
    showSelection();
    const QString advice = tr(" Tags are the stages of a pipeline: paint them, or balance the model into stages.");
    showWhy(made.refusal ? sentence(describe(*made.refusal)) + (made.model ? QString() : advice) : QString());
}

/// Shows the timeline, or why there is none.
void TimelinePane::showWhy(const QString& why)
{
    const std::shared_ptr<const PlannedSchedule> shown = plan();
    m_ui->timelinePage->setCurrentWidget(why.isEmpty() ? static_cast<QWidget*>(m_ui->view) : m_ui->whyPage);
    m_ui->why->setText(withShortWords(why));
    showFooter();
    if (!shown) {
        header().setStatus({}, QStringLiteral("hint"), {});
        return;
    }
    const QString figures = figuresOf(*shown);
    m_ui->figures->setText(withWholeFigures(figures));
    QStringList assumptions;
    if (shown->model)
        for (const std::string& assumption : shown->model->assumptionsFor(shown->order.schedule))
            assumptions << sentence(assumption);
    m_ui->figures->setToolTip(folded(assumptions.join(QLatin1Char('\n'))));
    m_ui->legend->setFigures(timelineLegend(*shown), {});
    header().setStatus(titleOf(*shown), QStringLiteral("hint"), folded(assumptions.join(QLatin1Char('\n'))));
}

void TimelinePane::showPage()
{
    if (isVisible() && m_ui->pages->currentWidget() == m_ui->sweep)
        m_ui->sweep->compareOnce();
    showFooter();
}

/// Figures and legend belong to the timeline.
void TimelinePane::showFooter()
{
    const bool isShown = plan() != nullptr && m_ui->pages->currentWidget() == m_ui->timelinePage;
    m_ui->figures->setVisible(isShown);
    m_ui->legend->setVisible(isShown);
}

void TimelinePane::showLooks()
{
    if (!plan())
        return;
    const Theme& theme = currentTheme();
    const std::vector<TagLook> tags = m_other ? proposedLooksOf(m_document, m_other->tags, theme) : tagLooksOf(m_document, theme);
    std::vector<TagLook> looks = stageLooks(*plan(), theme);
    for (std::size_t stage = 0; stage < looks.size(); ++stage)
        if (const TagLook* look = lookOfTag(tags, tagOfStage(static_cast<int>(stage))))
            looks[stage] = *look;
    m_ui->view->setStages(std::move(looks));
}

void TimelinePane::refreshTheme()
{
    showLooks();
    m_ui->view->refreshTheme();
}

void TimelinePane::showNotice()
{
    m_ui->notice->setVisible(m_other.has_value());
    if (!m_other)
        return;
    m_ui->useTags->setVisible(!m_isProposal);
    m_ui->back->setVisible(!m_isProposal);
    m_ui->noticeText->setText(
        m_isProposal
            ? tr("Preview of the balanced cut.")
            : tr("A balanced cut into %1. It is not the model's tags yet.").arg(countText(m_other->tags.order.size(), "stage")));
}

// Links ------------------------------------------------------------------------------------------

/// Finds the tag of each stage by its name.
void TimelinePane::findTags()
{
    m_tagOf.clear();
    if (!m_model)
        return;
    std::unordered_map<std::string_view, int> tags;
    for (const InternedString name : shownTags().order)
        tags.emplace(name.view(), static_cast<int>(tags.size()));
    for (const PipelineModel::Stage& stage : m_model->stages) {
        const auto at = tags.find(stage.name);
        m_tagOf.push_back(at == tags.end() ? -1 : at->second);
    }
}

int TimelinePane::tagOfStage(int stage) const
{
    const bool isKnown = m_model && stage >= 0 && static_cast<std::size_t>(stage) < m_tagOf.size();
    const int tag = isKnown ? m_tagOf[static_cast<std::size_t>(stage)] : -1;
    return tag < static_cast<int>(shownTags().order.size()) ? tag : -1; // the tags may have changed since
}

void TimelinePane::pick(int stage)
{
    const int tag = tagOfStage(stage);
    if (tag < 0)
        return;
    if (m_other) { // its stages are not tags of the document
        std::vector<NodeId> nodes;
        for (const NodeId id : m_document.graph().nodes())
            if (m_other->tags[id] == tag)
                nodes.push_back(id);
        m_document.marks().select(std::move(nodes));
    } else {
        m_document.marks().selectTag(tag);
    }
    m_document.marks().reveal();
}

void TimelinePane::hover(int stage)
{
    const int tag = tagOfStage(stage);
    std::vector<NodeId> nodes;
    for (const NodeId id : m_document.graph().nodes())
        if (tag >= 0 && shownTags()[id] == tag)
            nodes.push_back(id);
    m_document.marks().setHovered(std::move(nodes));
}

void TimelinePane::showSelection()
{
    if (!m_model || !plan() || !m_document.isOpen())
        return;
    std::vector<char> selected(m_model->stages.size(), 0);
    const TagAssignment& tags = shownTags();
    const std::vector<std::int32_t> forward = forwardTags(tags.order);
    std::vector<char> perTag(tags.order.size(), 0);
    for (const NodeId id : m_document.marks().selection().source)
        if (const std::int32_t tag = tags[id]; tag >= 0)
            perTag[static_cast<std::size_t>(tag)] = 1;
    for (std::size_t tag = 0; tag < perTag.size(); ++tag)
        if (perTag[tag] != 0 && m_model->hasMeasuredBackward && forward[tag] >= 0)
            perTag[static_cast<std::size_t>(forward[tag])] = 1;
    for (std::size_t stage = 0; stage < selected.size(); ++stage)
        if (const int tag = tagOfStage(static_cast<int>(stage)); tag >= 0)
            selected[stage] = perTag[static_cast<std::size_t>(tag)];
    m_ui->view->setSelectedStages(std::move(selected));
}

// Other cuts ---------------------------------------------------------------------------------------

void TimelinePane::showOther(std::optional<SweepCut> cut)
{
    m_other = std::move(cut);
    m_model.reset();
    refresh();
}

void TimelinePane::showProposal(const TagAssignment* tags)
{
    const bool isOver = tags == nullptr && m_isProposal;
    m_isProposal = tags != nullptr;
    if (tags != nullptr)
        showOther(SweepCut{*tags, {}});
    else if (isOver)
        showOther({});
}

void TimelinePane::openRow(const SweepPtr& sweep, int row, bool isOfTags)
{
    const SweepRow& wanted = sweep->rows[static_cast<std::size_t>(row)];
    m_isProposal = false;
    if (isOfTags)
        m_other.reset();
    else
        m_other = sweep->cuts[wanted.cut];
    m_model.reset();
    {
        const QSignalBlocker schedules(m_ui->schedule);
        const QSignalBlocker batches(m_ui->microBatches);
        const QSignalBlocker perDevice(m_ui->perDevice);
        m_ui->schedule->setCurrentIndex(m_ui->schedule->findData(static_cast<int>(wanted.schedule)));
        m_ui->microBatches->setValue(static_cast<int>(wanted.sizes.microBatches));
        const int each = m_ui->perDevice->findData(wanted.sizes.stages / wanted.sizes.ranks);
        m_ui->perDevice->setCurrentIndex(hasOneStagePerRank(wanted.schedule) ? 0 : std::max(0, each));
    }
    m_ui->pages->setCurrentIndex(0);
    refresh();
    m_ui->view->setFocus();
}

void TimelinePane::useTags()
{
    if (!m_other)
        return;
    const SweepCut cut = *std::exchange(m_other, std::nullopt);
    const QString title = tr("Balance into %1").arg(countText(cut.tags.order.size(), "stage"));
    if (const QString why = m_document.tagSources().takeTags(cut.tags, title); !why.isEmpty()) {
        m_other = cut;
        emit message(why);
    }
}

// Pane -----------------------------------------------------------------------------------------------

std::shared_ptr<const PlannedSchedule> TimelinePane::plan() const
{
    return m_ui->view->content().plan;
}

std::shared_ptr<const Drawing> TimelinePane::drawing() const
{
    if (!plan())
        return nullptr;
    return timelineDrawing(m_ui->view->content(), currentTheme(), timelineWidth(m_ui->view->content()), m_ui->view->seen());
}

void TimelinePane::zoomBy(double factor)
{
    m_ui->view->zoomBy(factor);
}

void TimelinePane::showAll()
{
    m_ui->view->fit();
}

double TimelinePane::zoom()
{
    return m_ui->view->zoom();
}

void TimelinePane::setZoom(double zoom)
{
    m_ui->view->setZoom(zoom);
}

std::string TimelinePane::viewState() const
{
    JsonWriter json(0);
    json.object([&] {
        json.member(kKeptSchedule, name(choices().schedule));
        json.member(kKeptBatches, m_ui->microBatches->value());
        json.member(kKeptPerDevice, m_ui->perDevice->currentIndex());
        json.member(kKeptOptimizer, m_ui->optimizer->currentIndex());
        json.member(kKeptSweepBatches, m_ui->sweep->batches().toStdString());
        json.member(kKeptSweepStages, m_ui->sweep->stages().toStdString());
    });
    return json.takeRaw();
}

void TimelinePane::restoreViewState(JsonValue kept)
{
    constexpr int kUsualBatches = 8;
    const Result<PipelineSchedule> schedule = parsePipelineSchedule(std::string(kept.member(kKeptSchedule).textOr({})));
    {
        const QSignalBlocker schedules(m_ui->schedule);
        const QSignalBlocker batches(m_ui->microBatches);
        const QSignalBlocker perDevice(m_ui->perDevice);
        const QSignalBlocker optimizer(m_ui->optimizer);
        m_ui->schedule->setCurrentIndex(
            m_ui->schedule->findData(static_cast<int>(schedule ? *schedule : PipelineSchedule::oneForwardOneBackward)));
        m_ui->microBatches->setValue(kept.member(kKeptBatches).intOr(kUsualBatches));
        m_ui->perDevice->setCurrentIndex(std::clamp(kept.member(kKeptPerDevice).intOr(0), 0, static_cast<int>(kMostPerDevice)));
        m_ui->optimizer->setCurrentIndex(std::clamp(kept.member(kKeptOptimizer).intOr(0), 0, 2));
    }
    if (kept)
        m_ui->sweep->setNumbers(exact(kept.member(kKeptSweepBatches).textOr({})),
                                exact(kept.member(kKeptSweepStages).textOr({})));
    m_model.reset();
    refresh();
}

} // namespace sunder

#include "moc_timeline_pane.cpp"
