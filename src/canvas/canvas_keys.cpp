// The keyboard of CanvasWidget: walking the graph, commands, focus.
#include "canvas/canvas_widget.h"

#include "canvas/painted_children.h"
#include "layout/picture/picture_walk.h"

#include <QKeyEvent>

namespace sunder {
namespace {

constexpr double kRadiusStep = 1.4;
constexpr double kWalkMargin = 24;

} // namespace

bool CanvasWidget::walkKey(const QKeyEvent& event)
{
    std::optional<WalkDirection> direction;
    switch (event.key()) {
    case Qt::Key_Up: direction = WalkDirection::producer; break;
    case Qt::Key_Down: direction = WalkDirection::consumer; break;
    case Qt::Key_Left: direction = WalkDirection::left; break;
    case Qt::Key_Right: direction = WalkDirection::right; break;
    case Qt::Key_Home: direction = WalkDirection::first; break;
    case Qt::Key_End: direction = WalkDirection::last; break;
    default: return false;
    }
    const ItemId next = walk(*m_scene.sharedPicture(), m_current, *direction);
    if (!next)
        return true;
    setCurrentItem(next);
    setCamera(camera().showing(m_scene.item(next).rect, size(), kWalkMargin));
    if (!event.modifiers().testFlag(Qt::ControlModifier))
        emit selectionRequested(m_scene.item(next).nodes,
                                event.modifiers().testFlag(Qt::ShiftModifier) ? SelectionMode::add : SelectionMode::replace);
    return true;
}

bool CanvasWidget::commandKey(const QKeyEvent& event)
{
    if (m_view.keyPressed(event)) {
        updateCursor();
        return true;
    }
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: activateItem(m_current, event.modifiers().testFlag(Qt::AltModifier)); return true;
    case Qt::Key_Backspace: emit goUpRequested(); return true;
    case Qt::Key_Escape: escape(); return true;
    case Qt::Key_G:
        if ((event.modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
            return false;
        goToRinged(!event.modifiers().testFlag(Qt::ShiftModifier));
        return true;
    case Qt::Key_BracketLeft: setBrushRadius(m_brushRadius / kRadiusStep); return true;
    case Qt::Key_BracketRight: setBrushRadius(m_brushRadius * kRadiusStep); return true;
    default: return false;
    }
}

void CanvasWidget::goToRinged(bool forward)
{
    const ItemId next = nextRinged(m_scene, m_current, forward);
    if (!next)
        return;
    setCurrentItem(next);
    setCamera(camera().showing(m_scene.item(next).rect, size(), kWalkMargin));
}

void CanvasWidget::escape()
{
    CanvasTool* tool = m_pressed != nullptr ? m_pressed : &activeTool();
    m_pressed = nullptr;
    if (!tool->cancel(*this))
        emit selectionRequested({}, SelectionMode::replace);
    updateCursor();
}

void CanvasWidget::keyPressEvent(QKeyEvent* event)
{
    if (!walkKey(*event) && !commandKey(*event))
        QWidget::keyPressEvent(event);
}

void CanvasWidget::keyReleaseEvent(QKeyEvent* event)
{
    m_view.keyReleased(*event);
    updateCursor();
    QWidget::keyReleaseEvent(event);
}

void CanvasWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
    PaintedChildren::currentChanged(this);
}

void CanvasWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    m_view.letGo();
    updateCursor();
    update();
}

} // namespace sunder
