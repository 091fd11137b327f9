#include "panes/sequence/sequence_panel.h"

#include "canvas/canvas_widget.h"
#include "document/text.h"
#include "models/tag_style_of.h"
#include "panes/sequence/boundary_card.h"
#include "panes/sequence/ui_sequence_panel.h"
#include "text/shown_text.h"

#include <QSettings>
#include <QTimer>

namespace sunder {
namespace {

constexpr auto kSequenceShownKey = "view/sequence";
constexpr std::size_t kOrderedAtOnce = 4'000;  ///< nodes; above this, a job computes the order
constexpr std::size_t kCutAtOnce = 60'000;     ///< calls; above this, a job finds the boundaries
constexpr std::size_t kLoadsAtOnce = 8'000;    ///< calls; above this, a job measures loads
constexpr int kCardGap = 8;
constexpr int kNoteLength = 90;

/// Computes the fields that depend on all calls. Looks and locks are set in the window's thread.
std::shared_ptr<SequenceContent> contentOf(SnapshotPtr snapshot, std::shared_ptr<const ModelSequence> sequence,
                                           TagAssignment tags)
{
    auto content = std::make_shared<SequenceContent>();
    content->snapshot = std::move(snapshot);
    content->sequence = std::move(sequence);
    content->tags = std::move(tags);
    content->partOf = partsOfCalls(*content->sequence->graph, content->tags);
    content->cut = cutSequence(*content->sequence, content->partOf, content->tags.order.size());
    if (content->cut.isInterleaved())
        content->straightening = describe(straightened(*content->sequence, content->tags));
    return content;
}

std::shared_ptr<const ModelSequence> sequenceOf(const Snapshot& snapshot)
{
    return std::make_shared<const ModelSequence>(
        modelSequence(snapshot.program, std::make_shared<const CutGraph>(cutGraph(snapshot.program))));
}

} // namespace

SequencePanel::SequencePanel(Document& document, Jobs& jobs, CanvasWidget& canvas, QWidget* pane)
    : QWidget(pane), m_document(document), m_jobs(jobs), m_canvas(canvas), m_ui(std::make_unique<Ui::SequencePanel>()),
      m_card(new BoundaryCard(pane))
{
    m_ui->setupUi(this);
    QSizePolicy room = m_ui->straighten->sizePolicy();
    room.setRetainSizeWhenHidden(true); // the strip does not move when this is hidden
    m_ui->straighten->setSizePolicy(room);
    m_ui->straighten->hide();
    setVisible(isWanted());
    connect(m_ui->straighten, &QToolButton::clicked, this, &SequencePanel::straightenRequested);
    connect(m_ui->strip, &SequenceStrip::previewed, this, &SequencePanel::previewed);
    connect(m_ui->strip, &SequenceStrip::message, this, &SequencePanel::message);
    connect(m_ui->strip, &SequenceStrip::figuresChanged, this, &SequencePanel::showCard);
    connect(m_ui->strip, &SequenceStrip::moved, this, [this](const SequenceStrip::Changes& changes, const CutBoundary& border) {
        m_document.painting().retag(
            changes, tr("Move the boundary %1 | %2").arg(m_document.tagName(border.before), m_document.tagName(border.after)));
    });
    connect(m_ui->strip, &SequenceStrip::picked, this, [this](const std::vector<NodeId>& nodes, const QString& what) {
        m_document.marks().select(nodes, what);
        m_document.marks().reveal();
    });
    connect(m_ui->strip, &SequenceStrip::hovered, &document,
            [this](const std::vector<NodeId>& nodes) { m_document.marks().setHovered(nodes); });
    connect(&document, &Document::changed, this, &SequencePanel::documentChanged);
    // Picture and camera change one after the other: handle both together.
    const auto askSeen = [this] {
        if (!std::exchange(m_isSeenAsked, true))
            QTimer::singleShot(0, this, &SequencePanel::showSeen);
    };
    connect(&canvas, &CanvasWidget::cameraChanged, this, askSeen);
    connect(&canvas, &CanvasWidget::currentItemChanged, this, askSeen);
}

SequencePanel::~SequencePanel() = default;

SequenceStrip& SequencePanel::strip()
{
    return *m_ui->strip;
}

bool SequencePanel::isWanted()
{
    return QSettings().value(QLatin1String(kSequenceShownKey), true).toBool();
}

void SequencePanel::want(bool isWanted)
{
    QSettings().setValue(QLatin1String(kSequenceShownKey), isWanted);
}

void SequencePanel::documentChanged(Changes what)
{
    if (what & (Change::program | Change::sizes | Change::operators))
        request();
    else if ((what & (Change::tags | Change::tagList)) && !m_cut)
        takeTags();
    if (what & (Change::tags | Change::tagList | Change::devices | Change::costs | Change::sizes | Change::program))
        m_loadsBefore.reset();
    if (what.testFlag(Change::costs) && m_card->isVisible())
        showCard();
}

void SequencePanel::request()
{
    m_sequence = nullptr;
    m_snapshot = m_document.snapshot();
    if (!m_document.isOpen() || !isVisibleTo(parentWidget())) {
        take(std::make_shared<SequenceContent>());
        return;
    }
    if (m_document.graph().size() <= kOrderedAtOnce) {
        m_sequence = sequenceOf(*m_snapshot);
        takeTags();
        return;
    }
    take(std::make_shared<SequenceContent>());
    using Made = std::shared_ptr<const ModelSequence>;
    m_jobs.start<Made>(
        {.key = QStringLiteral("sequence"), .title = tr("Compute the execution order")},
        [snapshot = m_snapshot](ProgressMonitor&) -> Result<Made> { return sequenceOf(*snapshot); }, this,
        [this, snapshot = m_snapshot](Result<Made> made) {
            if (!made || snapshot != m_document.snapshot())
                return;
            m_sequence = std::move(*made);
            takeTags();
        });
}

void SequencePanel::takeTags()
{
    if (!m_sequence)
        return;
    if (m_sequence->callCount() <= kCutAtOnce) {
        take(contentOf(m_snapshot, m_sequence, shownTags()));
        return;
    }
    using Made = std::shared_ptr<SequenceContent>;
    m_jobs.start<Made>(
        {.key = QStringLiteral("sequence of tags"), .title = tr("Find the stage boundaries")},
        [snapshot = m_snapshot, sequence = m_sequence, tags = shownTags()](ProgressMonitor&) -> Result<Made> {
            return contentOf(snapshot, sequence, tags);
        },
        this,
        [this, sequence = m_sequence, cut = m_cut](Result<Made> made) {
            const bool isOfNow = sequence == m_sequence && cut == m_cut;
            if (made && isOfNow && (*made)->tags.order.size() == shownTags().order.size())
                take(std::move(*made));
        });
}

void SequencePanel::take(std::shared_ptr<const SequenceContent> content)
{
    auto shown = std::make_shared<SequenceContent>(*content);
    if (shown->sequence && m_cut) {
        shown->run = m_run;
        shown->looks = cutLooksOf(m_document, *m_cut, currentTheme());
    } else if (shown->sequence) {
        shown->looks = tagLooksOf(m_document, currentTheme());
        for (const TagTraits& traits : m_document.tagTraits())
            shown->isLocked.push_back(traits.isLocked);
    }
    show(std::move(shown));
}

void SequencePanel::show(std::shared_ptr<const SequenceContent> content)
{
    const bool isInterleaved = content->sequence && content->run == 0 && content->cut.isInterleaved();
    m_ui->straighten->setVisible(isInterleaved);
    if (isInterleaved)
        m_ui->straighten->setToolTip(folded(tr("Stages are interleaved. Made contiguous: %1").arg(text(content->straightening))));
    m_ui->strip->setContent(std::move(content));
    showSeen();
}

const TagAssignment& SequencePanel::shownTags() const
{
    return m_cut ? m_cut->tags : m_document.tags();
}

void SequencePanel::showCut(SplitOutcomePtr cut, int run)
{
    m_cut = std::move(cut);
    m_run = m_cut ? run : 0;
    takeTags();
}

void SequencePanel::showProposal(const TagAssignment* tags)
{
    if (!m_sequence || m_sequence->callCount() > kCutAtOnce)
        return;
    if (tags == nullptr)
        return takeTags();
    const std::shared_ptr<SequenceContent> proposed = contentOf(m_snapshot, m_sequence, *tags);
    proposed->looks = proposedLooksOf(m_document, *tags, currentTheme());
    proposed->isLocked.assign(proposed->looks.size(), false);
    show(proposed);
}

void SequencePanel::refreshLooks()
{
    takeTags();
}

void SequencePanel::showSeen()
{
    m_isSeenAsked = false;
    const SequenceContent& content = m_ui->strip->content();
    if (content.isEmpty() || !m_canvas.picture() || !isVisible())
        return;
    const CutGraph& graph = *content.sequence->graph;
    std::vector<bool> seen(graph.callCount, false);
    for (const ItemId item : m_canvas.scene().closedItemsIn(m_canvas.visibleScene()))
        for (const NodeId node : m_canvas.scene().item(item).nodes)
            if (node.index() < graph.valueOf.size() && graph.valueOf[node.index()] < graph.callCount)
                seen[graph.valueOf[node.index()]] = true;
    m_ui->strip->setSeen(std::move(seen));
}

void SequencePanel::showCard()
{
    const SequenceStrip& strip = *m_ui->strip;
    if (!strip.figures() || strip.current() < 0) {
        m_card->hide();
        return;
    }
    m_card->showWords(wordsOf(strip.content(), *strip.figures()), strip.isDragging());
    showLoads();
    placeCard();
}

void SequencePanel::placeCard()
{
    const SequenceStrip& strip = *m_ui->strip;
    const QWidget& pane = *m_card->parentWidget();
    const QPoint at = strip.mapTo(&pane, strip.handleRect(strip.current()).center().toPoint());
    const QPoint right = mapTo(&pane, QPoint(width() + kCardGap, 0));
    const int top = std::clamp(at.y() - m_card->height() / 2, 0, std::max(0, pane.height() - m_card->height()));
    m_card->move(right.x(), top);
}

void SequencePanel::showLoads()
{
    const SequenceStrip& strip = *m_ui->strip;
    if (strip.content().run > 0)
        return;
    Loads& loads = m_document.loads();
    loads.want();
    if (loads.state() != Loads::State::known) {
        m_card->showLoads({.note = loads.state() == Loads::State::failed ? tr("No loads: %1").arg(brief(loads.why(), kNoteLength))
                                                                         : tr("Loads are being computed…")});
        return;
    }
    TagAssignment moved = m_document.tags();
    for (const auto& [node, tag] : strip.changes())
        moved.tagOf[node.index()] = tag;
    if (m_sequence->callCount() <= kLoadsAtOnce) {
        if (!m_loadsBefore)
            m_loadsBefore = loads.of(m_document.tags());
        takeLoads(m_loadsBefore, loads.of(moved));
        return;
    }
    using Measured = std::pair<std::optional<CutLoads>, std::optional<CutLoads>>;
    m_jobs.start<Measured>(
        {.key = QStringLiteral("loads of boundary"), .title = tr("Measure loads"), .quiet = true},
        [problem = loads.problem(), order = loads.order(), before = m_loadsBefore, tags = m_document.tags(),
         moved](ProgressMonitor&) -> Result<Measured> {
            const auto measure = [&](const TagAssignment& of) {
                Result<CutLoads> cut = cutLoads(*problem, of, order);
                return cut ? std::optional(std::move(*cut)) : std::nullopt;
            };
            return Measured(before ? before : measure(tags), measure(moved));
        },
        this,
        [this](const Result<Measured>& measured) {
            if (!measured || !m_card->isVisible())
                return;
            m_loadsBefore = measured->first;
            takeLoads(measured->first, measured->second);
            placeCard();
        });
}

void SequencePanel::takeLoads(const std::optional<CutLoads>& before, const std::optional<CutLoads>& now)
{
    const SequenceStrip& strip = *m_ui->strip;
    const std::optional<BoundaryFigures>& figures = strip.figures();
    const BalancePlanPtr& problem = m_document.loads().problem();
    if (!figures || !problem)
        return;
    LoadWords words;
    if (now)
        words = loadWords(*problem, before, *now, strip.content().looks, {figures->before.tag, figures->after.tag});
    else
        words.note = tr("No loads: some ops have no tag, or there are more stages than devices.");
    if (now && m_document.devices().list().empty() && !problem->assumptions.empty())
        words.note = brief(sentence(problem->assumptions.front()), kNoteLength);
    m_card->showLoads(words);
}

void SequencePanel::resizeEvent(QResizeEvent* event)
{
    showCard();
    QWidget::resizeEvent(event);
}

/// The order is only computed once the panel is visible.
void SequencePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!m_sequence && m_document.isOpen() && !m_jobs.isRunning(QStringLiteral("sequence")))
        request();
}

} // namespace sunder

#include "moc_sequence_panel.cpp"
