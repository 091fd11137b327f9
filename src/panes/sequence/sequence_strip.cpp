// Mouse and keyboard input of the strip. sequence_painting.cpp paints it.

#include "panes/sequence/sequence_strip.h"

#include "canvas/painted_children.h"
#include "document/text.h"
#include "panes/sequence/boundary_words.h"
#include "support/format.h"
#include "text/amounts.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace sunder {
namespace {

class SequenceAccessible final : public PaintedChildren {
public:
    explicit SequenceAccessible(SequenceStrip* strip) : PaintedChildren(strip) {}

    [[nodiscard]] QString nameOf(int index) const override { return strip().nameOf(index); }
    /// Describes the boundary if it has the keyboard focus, and the keys that move it.
    [[nodiscard]] QString descriptionOf(int index) const override
    {
        const QString how = QObject::tr("↑ and ↓ move it, Enter applies, Esc cancels.");
        if (index != strip().current() || !strip().figures())
            return how;
        return QObject::tr("%1. %2").arg(wordsOf(strip().content(), *strip().figures()).spoken(), how);
    }
    [[nodiscard]] QAccessible::Role roleOf(int) const override { return QAccessible::Splitter; }
    void addState(int index, QAccessible::State& state) const override
    {
        state.movable = !strip().isLocked(index);
        state.readOnly = strip().isLocked(index);
    }
    [[nodiscard]] QRect placeOf(int index) const override
    {
        const QRect at = strip().handleRect(index).toAlignedRect();
        return {strip().mapToGlobal(at.topLeft()), at.size()};
    }
    [[nodiscard]] int current() const override { return strip().current(); }

protected:
    [[nodiscard]] int countOfChildren() const override { return strip().handleCount(); }
    [[nodiscard]] int childIndexAt(QPoint global) const override { return strip().handleAt(strip().mapFromGlobal(global)); }

private:
    [[nodiscard]] SequenceStrip& strip() const { return *static_cast<SequenceStrip*>(object()); }
};

/// Exposes the handles of each SequenceStrip to assistive technology as its children.
void installSequenceAccessible()
{
    installPaintedChildren<SequenceAccessible, SequenceStrip>();
}

constexpr double kSnapPixels = 7;      ///< within this distance, a drag snaps to the outermost module boundary
constexpr double kReadableCall = 6;    ///< pixels per call from which single ops can be picked

std::vector<NodeId> callNodes(const ModelSequence& sequence, std::uint32_t begin, std::uint32_t end)
{
    return {sequence.graph->nodes.begin() + begin, sequence.graph->nodes.begin() + end};
}

} // namespace

SequenceStrip::SequenceStrip(QWidget* parent) : QWidget(parent), m_content(std::make_shared<const SequenceContent>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    installSequenceAccessible();
}

SequenceStrip::~SequenceStrip() = default;

void SequenceStrip::setContent(std::shared_ptr<const SequenceContent> content)
{
    const bool wasMoving = std::exchange(m_isMoving, false);
    m_isDragging = false;
    if (content->sequence != m_content->sequence)
        m_seen.clear();
    m_content = std::move(content);
    m_current = handleCount() == 0 ? -1 : std::clamp(m_current, 0, handleCount() - 1);
    m_hovered = -1;
    m_move.reset();
    layRows();
    if (wasMoving)
        emit previewed({});
    showFigures();
    PaintedChildren::childrenChanged(this);
}

void SequenceStrip::setSeen(std::vector<bool> seen)
{
    m_seen = std::move(seen);
    update();
}

bool SequenceStrip::isLocked(int handle) const
{
    const CutBoundary& border = m_content->cut.borders[static_cast<std::size_t>(handle)];
    const auto locked = [this](std::int32_t tag) {
        const auto at = static_cast<std::size_t>(tag);
        return at < m_content->isLocked.size() && m_content->isLocked[at];
    };
    return m_content->run > 0 || locked(border.before) || locked(border.after);
}

SequenceStrip::Changes SequenceStrip::changes() const
{
    return m_isMoving && m_move ? m_move->changes() : Changes();
}

std::uint32_t SequenceStrip::placeOf(int handle) const
{
    if (m_isMoving && handle == m_current && m_figures)
        return m_figures->place;
    return m_content->cut.borders[static_cast<std::size_t>(handle)].place;
}

QString SequenceStrip::nameOf(int handle) const
{
    const CutBoundary& border = m_content->cut.borders[static_cast<std::size_t>(handle)];
    const auto tag = [this](std::int32_t of) { return m_content->looks[static_cast<std::size_t>(of)].name; };
    return tr("%1 | %2 %3")
        .arg(tag(border.before), tag(border.after),
             text(describePlace(*m_content->sequence, m_content->snapshot->graph(), placeOf(handle))));
}

void SequenceStrip::setCurrent(int handle)
{
    if (handle == m_current || handle < 0 || handle >= handleCount())
        return;
    finish();
    m_current = handle;
    m_move.reset();
    showFigures();
    PaintedChildren::currentChanged(this);
    update();
}

/// Computes the figures of the current boundary while the user works on it.
void SequenceStrip::showFigures()
{
    const bool wasThere = m_figures.has_value();
    m_figures.reset();
    if (m_current >= 0 && !m_content->isEmpty() && hasFocus() && m_isByKeys) {
        if (!m_move)
            m_move = std::make_unique<BoundaryMove>(m_content->sequence, m_content->tags, m_content->cut,
                                                    static_cast<std::size_t>(m_current));
        m_figures = m_move->moveTo(m_move->border().place);
    }
    if (wasThere || m_figures)
        emit figuresChanged();
}

bool SequenceStrip::begin()
{
    if (m_current < 0)
        return false;
    if (m_content->run > 0) {
        emit message(tr("These are the boundaries of run %1. Show the painted tags to move boundaries.").arg(m_content->run));
        return false;
    }
    if (isLocked(m_current)) {
        emit message(tr("A stage at this boundary is locked. Unlock it to move the boundary."));
        return false;
    }
    if (!m_move)
        m_move = std::make_unique<BoundaryMove>(m_content->sequence, m_content->tags, m_content->cut,
                                                static_cast<std::size_t>(m_current));
    m_isMoving = true;
    return true;
}

void SequenceStrip::moveTo(std::uint32_t place)
{
    const std::uint32_t before = placeOf(m_current);
    if ((!m_isMoving && place == before) || (!m_isMoving && !begin()))
        return;
    if (m_figures && m_figures->place == place)
        return;
    m_figures = m_move->moveTo(place);
    layRows();
    update();
    emit previewed(m_move->changes());
    emit figuresChanged();
    PaintedChildren::currentChanged(this);
}

void SequenceStrip::finish()
{
    m_isDragging = false;
    if (!std::exchange(m_isMoving, false))
        return;
    const Changes changes = m_move->changes();
    const CutBoundary border = m_move->border();
    if (!changes.empty())
        emit moved(changes, border); // the owner sets new content
    emit previewed({}); // remove the preview of a refused move
    showFigures();
    layRows();
    update();
    emit figuresChanged();
}

void SequenceStrip::cancel()
{
    m_isDragging = false;
    if (!std::exchange(m_isMoving, false))
        return;
    showFigures();
    layRows();
    update();
    emit previewed({});
}

void SequenceStrip::step(Direction direction, Step step)
{
    if (m_current < 0 || (!m_isMoving && isLocked(m_current))) {
        begin(); // reports the reason
        return;
    }
    if (!m_move)
        m_move = std::make_unique<BoundaryMove>(m_content->sequence, m_content->tags, m_content->cut,
                                                static_cast<std::size_t>(m_current));
    const ModelSequence& sequence = *m_content->sequence;
    const PlaceRange range = m_move->range();
    const std::uint32_t from = placeOf(m_current);
    std::optional<std::uint32_t> to;
    if (step == Step::op)
        to = direction == Direction::forth ? from + 1 : from - 1;
    if (step == Step::outerModule)
        to = nextBorder(sequence, from, direction, range, sequence.coarseDepth);
    if (!to) // if there are none, use boundaries of inner modules
        to = nextBorder(sequence, from, direction, range, ModelSequence::kMaxDepth);
    if (to && range.contains(*to))
        moveTo(*to);
    else
        emit message(step == Step::op ? tr("A stage needs at least one op.")
                                      : tr("There is no further module boundary in this stage. Hold Alt to move op by op."));
}

void SequenceStrip::dragTo(double y, Qt::KeyboardModifiers modifiers)
{
    const SequenceScale at = scale();
    const std::uint32_t wanted = std::clamp(at.place(y), m_move->range().first, m_move->range().last);
    if (modifiers.testFlag(Qt::AltModifier)) {
        moveTo(wanted);
        return;
    }
    const PlaceRange near{at.place(y - kSnapPixels), at.place(y + kSnapPixels)};
    if (const auto snapped = snappedBorder(*m_content->sequence, wanted, near, m_move->range()))
        moveTo(*snapped);
}

int SequenceStrip::handleAt(QPointF point) const
{
    int best = -1;
    double distance = 0;
    for (int handle = 0; handle < handleCount(); ++handle) {
        const QRectF grip = handleRect(handle);
        const double far = std::abs(grip.center().y() - point.y());
        if (grip.adjusted(-3, -3, 3, 3).contains(point) && (best < 0 || far < distance)) {
            best = handle;
            distance = far;
        }
    }
    return best;
}

SequenceStrip::Place SequenceStrip::placeAt(double y) const
{
    if (m_content->isEmpty())
        return {};
    const ModelSequence& sequence = *m_content->sequence;
    const SequenceScale at = scale();
    const std::uint32_t call = at.call(y);
    const std::int32_t visit = visitAround(sequence, call, labeledDepth(sequence, at, fontMetrics().height()));
    if (visit < 0 || at.callHeight() >= kReadableCall)
        return {callNodes(sequence, call, call + 1), text(m_content->snapshot->graph()[sequence.graph->nodes[call]].name)};
    const ModuleVisit& module = sequence.visits[static_cast<std::size_t>(visit)];
    return {callNodes(sequence, module.begin, module.end), text(module.path)};
}

QString SequenceStrip::tipAt(QPointF point) const
{
    if (m_content->isEmpty())
        return {};
    if (const int handle = handleAt(point); handle >= 0 && m_content->run > 0)
        return nameOf(handle);
    else if (handle >= 0)
        return tr("%1\nDrag it or press ↑ or ↓. It snaps to module boundaries; with Alt it moves op by op.").arg(nameOf(handle));
    const ModelSequence& sequence = *m_content->sequence;
    const std::uint32_t call = scale().call(point.y());
    const std::int32_t tag = m_content->partOf[call];
    const TagLook* look = lookOfTag(m_content->looks, tag);
    const NodeId node = sequence.graph->nodes[call];
    return tr("%1\n%2 · op %3 of %4 · %5\nA cut before this op sends %6")
        .arg(placeAt(point.y()).what, brief(text(m_content->snapshot->graph()[node].name)),
             text(formatCount(call + std::uint64_t{1})), text(formatCount(sequence.callCount())),
             look != nullptr ? look->name : tr("untagged"), bytesText(sequence.crossingBytes[call]));
}

void SequenceStrip::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_content->isEmpty())
        return;
    m_isByKeys = false;
    const int handle = handleAt(event->position());
    if (handle < 0) {
        const Place at = placeAt(event->position().y());
        finish();
        emit picked(at.nodes, at.what);
        return;
    }
    setFocus(Qt::MouseFocusReason);
    setCurrent(handle);
    m_grip = event->position().y() - handleRect(handle).center().y();
    m_isDragging = begin();
    if (m_isDragging) {
        m_figures = m_move->moveTo(m_move->border().place);
        emit figuresChanged();
    }
}

void SequenceStrip::mouseMoveEvent(QMouseEvent* event)
{
    if (m_isDragging) {
        dragTo(event->position().y() - m_grip, event->modifiers());
        return;
    }
    if (const int handle = handleAt(event->position()); handle != m_hovered) {
        m_hovered = handle;
        setCursor(handle >= 0 ? Qt::SplitVCursor : Qt::ArrowCursor);
        update();
    }
    emit hovered(m_hovered >= 0 ? std::vector<NodeId>() : placeAt(event->position().y()).nodes);
}

void SequenceStrip::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_isDragging)
        finish();
}

void SequenceStrip::leaveEvent(QEvent* event)
{
    m_hovered = -1;
    update();
    emit hovered({});
    QWidget::leaveEvent(event);
}

void SequenceStrip::keyPressEvent(QKeyEvent* event)
{
    m_isByKeys = true;
    const Qt::KeyboardModifiers modifiers = event->modifiers();
    const Step how = modifiers.testFlag(Qt::AltModifier) ? Step::op
        : modifiers.testFlag(Qt::ShiftModifier)          ? Step::anyModule
                                                         : Step::outerModule;
    switch (event->key()) {
    case Qt::Key_Up: step(Direction::back, how); break;
    case Qt::Key_Down: step(Direction::forth, how); break;
    case Qt::Key_Left:
    case Qt::Key_PageUp: setCurrent(m_current - 1); break;
    case Qt::Key_Right:
    case Qt::Key_PageDown: setCurrent(m_current + 1); break;
    case Qt::Key_Home: setCurrent(0); break;
    case Qt::Key_End: setCurrent(handleCount() - 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter: finish(); break;
    case Qt::Key_Escape:
        if (!m_isMoving)
            event->ignore();
        cancel();
        break;
    default: QWidget::keyPressEvent(event);
    }
}

void SequenceStrip::focusInEvent(QFocusEvent* event)
{
    m_isByKeys = event->reason() != Qt::MouseFocusReason;
    showFigures();
    QWidget::focusInEvent(event);
}

/// Losing the focus finishes a move instead of cancelling it.
void SequenceStrip::focusOutEvent(QFocusEvent* event)
{
    if (!m_isDragging) // a drag ends when the mouse button is released
        finish();
    showFigures();
    QWidget::focusOutEvent(event);
}

bool SequenceStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_isMoving) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        // otherwise Esc would clear the selection, and Alt would open the menus
        if (key == Qt::Key_Escape || key == Qt::Key_Alt) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), m_isMoving ? QString() : folded(tipAt(help->pos())), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace sunder

#include "moc_sequence_strip.cpp"
