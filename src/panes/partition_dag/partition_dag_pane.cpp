#include "panes/partition_dag/partition_dag_pane.h"

#include "canvas/drawing.h"
#include "document/passes/partition_pass.h"
#include "document/runs/why_here.h"
#include "document/text.h"
#include "models/look.h"
#include "models/tag_style_of.h"
#include "panes/partition_dag/boundary_list.h"
#include "panes/partition_dag/dag_content.h"
#include "panes/partition_dag/dag_painter.h"
#include "panes/partition_dag/part_graphs.h"
#include "panes/partition_dag/part_mover.h"
#include "panes/partition_dag/tensor_list.h"
#include "panes/partition_dag/ui_partition_dag_pane.h"
#include "support/format.h"
#include "text/elided_name.h"

#include <QAction>
#include <QComboBox>
#include <QJsonArray>
#include <QMenu>

#include <algorithm>
#include <memory>

namespace sunder {
namespace {

const QString kKeptTorchCount = QStringLiteral("torch_count"); ///< in a viewState()
const QString kKeptZoom = QStringLiteral("zoom");
const QString kKeptCorner = QStringLiteral("corner");
const QString kKeptUnfolded = QStringLiteral("unfolded"); ///< parts

/// Returns a drawing of the whole Partition DAG and its line of totals, for export. All boxes are folded; nothing is selected or
/// hovered. `width`: width of the layout. `zoom`: current zoom, which decides between one-line and multi-line boxes. `seen`: the
/// visible rectangle.
std::shared_ptr<const Drawing> drawingOf(DagContent content, double width, double zoom, const QRectF& seen)
{
    constexpr double kTotals = 24; ///< below the boxes
    constexpr double kEdgeRoom = 12;
    if (content.boxes.empty())
        return nullptr;
    const auto held = std::make_shared<const DagContent>(std::move(content));
    const Theme& theme = currentTheme();
    const DagLayout layout = layOut(*held, {.width = width, .zoom = std::max(1.0, zoom)});
    const double totals = LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 2 * kEdgeRoom;
    const QSizeF size(std::max(layout.size.width(), totals), layout.size.height() + kTotals);
    const auto paint = [held, layout, &theme](QPainter& painter) {
        const DagDecorations marks;
        DagPainter(painter, theme, *held, layout, marks).paint(QRectF(QPointF(), layout.size));
        LabelPainter(painter).paint(held->totals, pictureFonts().detail, 1.1, {kEdgeRoom, layout.size.height() + kTotals - 10},
                                    LabelPainter::width(held->totals, pictureFonts().detail, 1.1) + 1, theme.text);
    };
    return std::make_shared<const Drawing>(
        Drawing{.size = size, .seen = seen.intersected(QRectF(QPointF(), size)), .background = theme.canvas, .paint = paint});
}

/// Lets a line of figures wrap between figures, and long ones between words, but never between a number and its unit.
QString wrappingBetweenFigures(const QString& line)
{
    constexpr qsizetype kLong = 24; ///< characters
    const QChar hard(QChar::Nbsp);
    QStringList figures = line.split(QStringLiteral(" · "));
    for (QString& figure : figures)
        for (qsizetype i = 1; i < figure.size(); ++i)
            if (figure[i] == u' ' && (figure.size() <= kLong || figure[i - 1].isDigit()))
                figure[i] = hard;
    return withShortWords(figures.join(hard + QStringLiteral("· ")));
}

} // namespace

PartitionDagPane::PartitionDagPane(Document& document, Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent)
    : ResultPane(document, SplitOutcome::kKind, tr("Partition DAG"),
                 tr("Partition the model over devices (Ctrl+Alt+P), or split it by tags (Ctrl+Return), to see its parts in "
                    "execution order, with their memory and the values between them."),
                 parent),
      m_jobs(jobs), m_preview(new PartitionPreview(document, jobs, this)), m_ui(std::make_unique<Ui::PartitionDagPane>()),
      m_view(makeBody()), m_tensors(m_ui->tensors),
      m_graphs(new PartGraphs(document, jobs, std::move(engine), *m_view->viewport(), this)),
      m_list(new BoundaryList(*m_view, *m_tensors, *m_ui->splitter, *m_ui->legend, this)),
      m_mover(new PartMover(document, jobs, *m_view, *this))
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
    m_ui->reason->hide();
    m_ui->memory->hide();
    m_ui->torchCount->hide();
    connect(m_ui->memory, &QComboBox::currentIndexChanged, this, [this](int index) { showTorchCount(index == 1); });
    connect(m_ui->noticeButton, &QPushButton::clicked, this, [this] {
        if (m_preview->state() == PartitionPreview::State::ready)
            m_preview->keep();
        else if (const SplitOutcomePtr shown = result<SplitOutcomePtr>();
                 Runs::isForOtherSizes(shown) && m_mover->takenOver().isEmpty())
            emit partitionRequested(shown->plan->request);
        else
            emit splitRequested();
    });
    connect(m_list, &BoundaryList::roomWanted, this,
            [this](int wanted) { emit roomWanted(height() - m_ui->splitter->height() + wanted); });
    connect(m_tensors, &TensorList::selected, this, [this](const std::vector<NodeId>& nodes) {
        m_picking = true;
        this->document().marks().select(nodes);
        this->document().marks().reveal();
        m_picking = false;
    });
    connect(m_mover, &PartMover::message, this, &PartitionDagPane::message);
    connect(m_mover, &PartMover::made, this, &PartitionDagPane::showNotice);
    connect(m_mover, &PartMover::replacementAsked, this, &PartitionDagPane::replacementAsked);
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
        QMenu menu(this);
        fillMenu(menu, m_view->current(), m_view->laneAt(m_view->viewRectOf(m_view->current()).center().toPoint()));
        menu.exec(more->mapToGlobal(QPoint(0, more->height())));
    });
    connect(header().addButton(QStringLiteral("fit"), tr("Show all parts")), &QToolButton::clicked, m_view, &DagView::fit);
    addExportButton(tr("Export parts, graph or picture (Ctrl+E)"));
    addWindowButtons();
}

void PartitionDagPane::connectView()
{
    connect(m_view, &DagView::zoomed, this, &Pane::zoomed);
    connect(m_view, &DagView::picked, this, &PartitionDagPane::pick);
    connect(m_view, &DagView::activated, this, &PartitionDagPane::activate);
    connect(m_view, &DagView::foldRequested, this, [this](int box, bool unfolds) { unfolds ? unfold(box) : fold(box); });
    connect(m_graphs, &PartGraphs::foldRequested, this, [this](int part) { fold(m_view->content().boxOf(part)); });
    connect(m_graphs, &PartGraphs::made, this, [this](GraphView* graph) { link(*graph); });
    connect(m_view, &DagView::hovered, this, &PartitionDagPane::hover);
    connect(m_view, &DagView::menuRequested, this, [this](DagHit place, int lane, const QPoint& at) {
        QMenu menu(this);
        fillMenu(menu, place, lane);
        menu.exec(at);
    });
}

// Content -----------------------------------------------------------------------------------------

SplitOutcomePtr PartitionDagPane::cut() const
{
    return m_preview->outcome() != nullptr ? m_preview->outcome() : result<SplitOutcomePtr>();
}

int PartitionDagPane::shownNumber() const
{
    if (!m_measure)
        return 0;
    return m_measure->cut() == result<SplitOutcomePtr>() ? runNumber()
        : m_measure->cut() == m_preview->outcome()       ? m_preview->run()
                                                         : 0;
}

void PartitionDagPane::showResult()
{
    m_kept = {};
    m_mover->forgetTakenOver();
    m_mover->cancel();
    measureCut();
    showNotice();
}

void PartitionDagPane::measureCut()
{
    const SplitOutcomePtr wanted = cut();
    if (!wanted || !document().isOpen()) {
        m_measure.reset();
        showContent();
        return;
    }
    const MemoryRule rule = wanted->plan && m_showsTorchCount ? MemoryRule::keepsAll : MemoryRule::freesDead;
    if (m_measure && m_measure->cut() == wanted && m_measure->graph()->rule == rule) {
        if (const int number = shownNumber(); number != 0) // a preview may have become a run
            m_graphs->setRun(number, wanted);
        return;
    }
    const SnapshotPtr source = document().snapshot();
    std::shared_ptr<const CutGraph> known;
    if (m_measure && m_measure->source() == source && m_measure->graph()->rule == rule)
        known = m_measure->graph();
    if (!m_measure)
        m_ui->totals->setText(tr("Measuring the cut…"));
    m_jobs.start<CutMeasurePtr>(
        {.key = QStringLiteral("measure cut %1").arg(reinterpret_cast<quintptr>(this)),
         .title = tr("Measure the cut"),
         .quiet = true},
        [source, wanted, rule, known](ProgressMonitor&) -> Result<CutMeasurePtr> {
            return std::make_shared<const CutMeasure>(source, wanted, rule, known);
        },
        this,
        [this, wanted](Result<CutMeasurePtr> measure) {
            if (!measure || cut() != wanted) // a measure with the other rule replaces this job
                return;
            m_measure = std::move(*measure);
            showContent();
        });
}

void PartitionDagPane::showTorchCount(bool on)
{
    m_showsTorchCount = on;
    measureCut();
}

void PartitionDagPane::showContent()
{
    m_list->close();
    m_mover->setMeasure(m_measure);
    const int number = shownNumber();
    m_graphs->setRun(number, number != 0 ? m_measure->cut() : nullptr);
    setContent();
    showSelection(document().marks().selectedIn(number));
    if (m_measure)
        lookAgain(std::exchange(m_kept, {}));
}

void PartitionDagPane::setContent()
{
    if (m_measure)
        m_view->setContent(
            dagContent(*m_measure, partLooksOf(document(), *m_measure->cut(), currentTheme()), document().devices().list()));
    else
        m_view->setContent({});
    m_view->setGraphs(m_graphs->perBox(m_view->content()));
    showTotals();
}

void PartitionDagPane::showTotals()
{
    const DagContent& content = m_view->content();
    m_ui->totals->setText(m_measure ? wrappingBetweenFigures(content.totals) : QString());
    m_ui->totals->setAccessibleName(totals());
    m_ui->totals->setToolTip(m_measure ? folded(content.totalsTip + QLatin1Char('\n') + content.torchCount).trimmed()
                                       : QString());
    m_ui->torchCount->setFigures(
        m_measure ? content.torchCount : QString(),
        tr("PyTorch's partitioner fills devices by its own count: no value is ever freed, and an input counts "
           "once per consumer."));
    fitTexts();
    m_ui->memory->setVisible(m_measure && m_measure->cut()->plan);
}

QString PartitionDagPane::totals() const
{
    return m_measure ? m_view->content().totals : QString();
}

QString PartitionDagPane::torchCount() const
{
    return m_ui->torchCount->line();
}

void PartitionDagPane::refreshTheme()
{
    if (m_measure) {
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
    if (m_preview->state() == PartitionPreview::State::none) {
        ResultPane::showStatus();
        return;
    }
    switch (m_preview->state()) {
    case PartitionPreview::State::running:
        header().setStatus(tr("Preview for the changed devices: partitioning…"), QStringLiteral("hint"),
                           tr("The devices have changed since run %1.").arg(runNumber()));
        break;
    case PartitionPreview::State::ready: {
        const Verdict verdict = m_preview->outcome()->report.verdict;
        header().setStatus(tr("Preview · %1 · %2").arg(nameOf(m_preview->outcome()->plan->request), textOf(verdict)),
                           verdict == Verdict::same ? QStringLiteral("proven") : QStringLiteral("warning"),
                           tr("Partition for the current device table. Not kept as a run."));
        break;
    }
    default: header().setStatus(tr("Preview · does not fit these devices"), QStringLiteral("warning"), m_preview->why()); break;
    }
}

QString PartitionDagPane::notice() const
{
    return m_ui->notice->isHidden() ? QString() : m_ui->noticeText->text();
}

/// Explains the shown partition, run or preview.
QString PartitionDagPane::whyShown() const
{
    const SplitOutcomePtr shown = cut();
    return shown && document().isOpen() ? whyCut(document().graph(), *shown) : QString();
}

QString PartitionDagPane::reason() const
{
    return m_reason;
}

/// In a low pane, e.g. on 1440×900 at 200%, the texts have one line and the graph has the rest.
void PartitionDagPane::fitTexts()
{
    constexpr int kLowPane = 300;
    const bool isLow = height() < kLowPane;
    const QFontMetricsF metrics(m_ui->reason->font());
    const int room = m_ui->reason->contentsRect().width() - 2 * m_ui->reason->margin();
    m_ui->reason->setText(isLow ? elidedWords(m_reason, metrics, room) : withShortWords(m_reason));
    m_ui->reason->setToolTip(isLow ? folded(m_reason) : QString());
    m_ui->reason->setVisible(!m_reason.isEmpty());
    m_ui->legend->setMaximumHeight(isLow ? 0 : QWIDGETSIZE_MAX); // the list of tensors decides on its visibility
    m_ui->torchCount->setVisible(!isLow && !m_ui->torchCount->line().isEmpty());
}

void PartitionDagPane::showNotice()
{
    QString said;
    QString button;
    QString tip;
    bool isWarning = false;
    const SplitOutcomePtr shown = result<SplitOutcomePtr>();
    if (shown && m_preview->state() == PartitionPreview::State::ready) {
        said = tr("Preview for the changed devices (run %1 used others).").arg(runNumber());
        button = tr("Keep as a run");
        tip = tr("Add this partition to the history of runs, and show its parts");
    } else if (shown && m_preview->state() == PartitionPreview::State::refused) {
        said = tr("Cannot partition for the changed devices: %1. Showing run %2.")
                   .arg(m_preview->why(), QString::number(runNumber()));
        isWarning = true;
    } else if (!m_mover->takenOver().isEmpty()) {
        said = m_mover->takenOver();
        button = tr("Split");
        tip = tr("Split by the current tags (Ctrl+Return)");
    } else if (Runs::isForOtherSizes(shown)) {
        said = sentence(otherSizesText(*shown).toStdString());
        if (!shown->plan->refusedNow.empty())
            said += QLatin1Char(' ') + sentence(shown->plan->refusedNow);
        button = tr("Run again");
        tip = otherSizesTip(*shown);
        isWarning = true;
    } else if (shown && !shown->plan && !document().runs().isSplitCurrent()) {
        said = tr("The tags have changed since this split.");
        button = tr("Split again");
        tip = tr("Split by the current tags (Ctrl+Return)");
    } else if (shown && shown->plan) {
        said = text(shown->plan->separateForwardBackward);
        isWarning = !said.isEmpty();
    }
    const bool isOfCut = m_mover->takenOver().isEmpty() && m_preview->state() != PartitionPreview::State::refused
        && !Runs::isForOtherSizes(shown);
    m_reason = isOfCut ? whyShown() : QString();
    fitTexts();
    m_ui->noticeText->setText(withShortWords(said));
    setLook(*m_ui->noticeText, isWarning ? QStringLiteral("warning") : QString());
    m_ui->noticeButton->setText(button);
    m_ui->noticeButton->setToolTip(tip);
    m_ui->noticeButton->setVisible(!button.isEmpty());
    m_ui->notice->setVisible(!said.isEmpty());
}

QPushButton& PartitionDagPane::noticeButton()
{
    return *m_ui->noticeButton;
}

QJsonObject PartitionDagPane::viewState() const
{
    if (!m_measure)
        return m_kept;
    QJsonObject state;
    if (m_showsTorchCount)
        state[kKeptTorchCount] = true;
    if (!m_view->isFitted()) {
        state[kKeptZoom] = m_view->zoom();
        state[kKeptCorner] = QJsonArray{m_view->corner().x(), m_view->corner().y()};
    }
    QJsonArray unfolded;
    for (const DagBox& box : m_view->content().boxes)
        if (m_graphs->graphOf(box.part) != nullptr)
            unfolded << box.part;
    if (!unfolded.isEmpty())
        state[kKeptUnfolded] = unfolded;
    return state;
}

void PartitionDagPane::restoreViewState(const QJsonObject& kept)
{
    m_kept = kept;
    const bool isAsNow = kept[kKeptTorchCount].toBool() == m_showsTorchCount;
    m_ui->memory->setCurrentIndex(kept[kKeptTorchCount].toBool() ? 1 : 0); // measures the cut again if that changes
    if (isAsNow && m_measure)
        lookAgain(std::exchange(m_kept, {}));
}

void PartitionDagPane::lookAgain(const QJsonObject& kept)
{
    for (const QJsonValue& part : kept[kKeptUnfolded].toArray())
        unfold(m_view->content().boxOf(part.toInt(-1)));
    const QJsonArray corner = kept[kKeptCorner].toArray();
    if (kept[kKeptZoom].isDouble() && corner.size() == 2)
        m_view->look(kept[kKeptZoom].toDouble(), {corner[0].toDouble(), corner[1].toDouble()});
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
    fitTexts();
    m_mover->placeAgain();
}

} // namespace sunder

#include "moc_partition_dag_pane.cpp"
