// Mouse and keyboard events of a DagView.
#include "panes/partition_dag/dag_view.h"

#include "canvas/painted_children.h"
#include "panes/partition_dag/dag_walk.h"
#include "text/shown_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QNativeGestureEvent>

#include <utility>

namespace sunder {

namespace {

/// Returns the selection mode for these modifiers: Ctrl toggles, Shift adds.
SelectionMode modeOf(Qt::KeyboardModifiers modifiers)
{
    return modifiers.testFlag(Qt::ControlModifier) ? SelectionMode::toggle
        : modifiers.testFlag(Qt::ShiftModifier)    ? SelectionMode::add
                                                   : SelectionMode::replace;
}

} // namespace

void DagView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
}

QString DagView::tipOf(QPoint at) const
{
    const DagHit place = placeAt(at);
    switch (place.kind) {
    case DagHit::Kind::cutEdge: return tr("%1\nClick or press Enter to list its tensors.").arg(describe(place));
    case DagHit::Kind::chip:
        if (m_layout.chips[static_cast<std::size_t>(place.index)].shared >= 0)
            return tr("%1\nClick to select it and show where it goes. Double-click or press Enter to list its consumers.")
                .arg(describe(place));
        return m_layout.chips[static_cast<std::size_t>(place.index)].handle < 0
            ? tr("%1\nClick or press Enter to list them.").arg(describe(place))
            : tr("%1\nDrag it onto another part to move it there, or press M.").arg(describe(place));
    case DagHit::Kind::box:
        return tr("%1\nClick to select its ops. Double-click or press Enter to expand its graph.").arg(describe(place));
    case DagHit::Kind::none: break;
    }
    const int lane = laneAt(at);
    return lane < 0 ? QString() : m_content.lanes[static_cast<std::size_t>(lane)].tip;
}

bool DagView::viewportEvent(QEvent* event)
{
    if (m_view.viewportEvent(*event, [this](QPoint at) { return tipOf(at); }))
        return true;
    if (event->type() == QEvent::Leave)
        setHovered({});
    return QAbstractScrollArea::viewportEvent(event);
}

void DagView::setHovered(DagHit place)
{
    if (place == m_marks.pointed())
        return;
    m_marks.setPointed(place);
    updateCursor();
    m_view.invalidate();
    emit hovered(place);
}

void DagView::updateCursor()
{
    const bool canBePulled = m_marks.chip >= 0 && m_layout.chips[static_cast<std::size_t>(m_marks.chip)].handle >= 0;
    const bool isNothing = m_marks.pointed().kind == DagHit::Kind::none;
    const Qt::CursorShape own = isNothing ? Qt::ArrowCursor : canBePulled ? Qt::OpenHandCursor : Qt::PointingHandCursor;
    viewport()->setCursor(m_view.cursor().value_or(own));
}

void DagView::mousePressEvent(QMouseEvent* event)
{
    if (const int hidden = event->button() == Qt::LeftButton ? hiddenSelection().boxAt(event->position()) : -1; hidden >= 0) {
        ensureShown({DagHit::Kind::box, hidden});
        return;
    }
    const DagHit place = placeAt(event->position().toPoint());
    if (m_view.pressed(*event, place.kind == DagHit::Kind::none)) {
        updateCursor();
        return;
    }
    if (place.kind == DagHit::Kind::none)
        return;
    setCurrent(place);
    if (event->button() != Qt::LeftButton)
        return;
    if (place.kind == DagHit::Kind::box
        && m_layout.foldMarkOf(static_cast<std::size_t>(place.index)).contains(toContent(event->position()))) {
        emit foldRequested(place.index, !m_layout.isUnfolded(static_cast<std::size_t>(place.index)));
        return;
    }
    const SelectionMode mode = modeOf(event->modifiers());
    const int handle = place.kind == DagHit::Kind::chip ? m_layout.chips[static_cast<std::size_t>(place.index)].handle : -1;
    m_pressed = handle >= 0 ? place : DagHit();
    m_pressedAt = event->position().toPoint();
    m_pickLater = handle >= 0 && mode == SelectionMode::replace && m_marks.selectedHandles[static_cast<std::size_t>(handle)] != 0;
    if (!m_pickLater)
        emit picked(place, mode);
}

void DagView::mouseMoveEvent(QMouseEvent* event)
{
    if (m_view.moved(*event))
        return;
    if (m_pressed.kind == DagHit::Kind::chip && event->buttons().testFlag(Qt::LeftButton)) {
        if ((event->position().toPoint() - m_pressedAt).manhattanLength() >= QApplication::startDragDistance()) {
            m_pickLater = false;
            emit dragStarted(std::exchange(m_pressed, DagHit()));
        }
        return;
    }
    setHovered(placeAt(event->position().toPoint()));
}

void DagView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_view.released(*event)) {
        updateCursor();
        return;
    }
    const DagHit pressed = std::exchange(m_pressed, DagHit());
    if (std::exchange(m_pickLater, false))
        emit picked(pressed, SelectionMode::replace);
}

void DagView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const DagHit place = placeAt(event->position().toPoint());
    const int box = place.kind == DagHit::Kind::box ? place.index : -1;
    if (box >= 0 && m_layout.foldMarkOf(static_cast<std::size_t>(box)).contains(toContent(event->position())))
        return; // already handled by the first click
    if (box >= 0 && m_layout.isUnfolded(static_cast<std::size_t>(box)))
        emit foldRequested(box, false);
    else if (place.kind != DagHit::Kind::none)
        emit activated(place);
}

void DagView::wheelEvent(QWheelEvent* event)
{
    m_view.wheel(*event);
}

void DagView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const DagHit place = byKey ? current() : placeAt(event->pos());
    const QPoint at = byKey ? viewport()->mapToGlobal(viewRectOf(place).center().toPoint()) : event->globalPos();
    if (place.kind != DagHit::Kind::none)
        setCurrent(place);
    emit menuRequested(place, laneAt(viewport()->mapFromGlobal(at)), at);
}

void DagView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    m_view.invalidate();
    PaintedChildren::currentChanged(this);
}

void DagView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    m_view.releaseSpace();
    updateCursor();
    m_view.invalidate();
}

// Keyboard ----------------------------------------------------------------------------------------

void DagView::keyPressEvent(QKeyEvent* event)
{
    const auto step = [&](DagHit place) {
        setCurrent(place);
        ensureShown(place);
    };
    const bool plain = (event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier)) == Qt::NoModifier;
    switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Home:
    case Qt::Key_End:
        if (plain) {
            step(walk(m_content, m_layout, current(), event->key()));
            return;
        }
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (plain && current().kind != DagHit::Kind::none) {
            emit activated(current());
            return;
        }
        break;
    case Qt::Key_Escape:
        if (const int box = boxOf(current()); box >= 0) {
            setCurrent({DagHit::Kind::box, box});
            if (m_layout.isUnfolded(static_cast<std::size_t>(box)))
                emit foldRequested(box, false);
        }
        return;
    default: break;
    }
    if (m_view.keyPressed(*event))
        updateCursor();
    else
        event->ignore(); // QAbstractScrollArea would scroll
}

/// Holding Space activates the hand tool; a short press picks.
void DagView::keyReleaseEvent(QKeyEvent* event)
{
    const bool picks = m_view.keyReleased(*event);
    updateCursor();
    if (picks && current().kind != DagHit::Kind::none)
        emit picked(current(), modeOf(event->modifiers()));
}

} // namespace sunder
