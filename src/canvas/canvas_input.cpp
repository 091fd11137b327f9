// Mouse and wheel of CanvasWidget: what the person does, told apart and handed to tools or signals.
#include "canvas/canvas_widget.h"

#include "canvas/item_description.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>

namespace sunder {
namespace {

constexpr double kEdgeReach = 5;
/// The triangle that opens a closed item, from its upper right corner, at 100 %.
constexpr double kTriangleArea = 20;
/// Below this zoom triangles and titles are too small to be hit.
constexpr double kLeastControlZoom = 0.5;

} // namespace

ToolEvent CanvasWidget::toolEvent(const QMouseEvent& event) const
{
    return {event.position(), event.modifiers(), itemAt(event.position())};
}

CanvasTool* CanvasWidget::toolFor(const QMouseEvent& event) const
{
    if (event.button() != Qt::LeftButton)
        return nullptr;
    return event.modifiers().testFlag(Qt::ShiftModifier) ? m_tools[static_cast<std::size_t>(ToolKind::select)].get()
                                                         : &activeTool();
}

bool CanvasWidget::pressOverlay(const QMouseEvent& event)
{
    const QPointF at = event.position();
    if (const GestureLegend::Press press = m_legend.pressed(at); press != GestureLegend::Press::beside) {
        if (press == GestureLegend::Press::dismissed) {
            update();
            emit legendDismissed();
        }
        return true;
    }
    if (m_minimapVisible && m_minimap.rect(m_scene, camera(), size()).contains(at)) {
        m_minimapDrag = true;
        setCamera(m_minimap.cameraAt(at, m_scene, camera(), size()));
        return true;
    }
    for (const EdgeArrow& arrow : m_arrows)
        if (arrow.rect.contains(at)) {
            setCamera(camera().centeredOn(m_scene.item(arrow.nearest).rect.center(), size()));
            return true;
        }
    for (const BackwardCard& card : m_cards)
        if (card.rect.contains(at)) {
            emit backwardCardClicked(static_cast<int>(card.mark), event.globalPosition().toPoint());
            return true;
        }
    return false;
}

bool CanvasWidget::pressItemControls(const QMouseEvent& event)
{
    const ItemId id = itemAt(event.position());
    if (!id)
        return false;
    const Item& item = m_scene.item(id);
    const QPointF scene = camera().toScene(event.position());
    const Point at{static_cast<float>(scene.x()), static_cast<float>(scene.y())};
    for (const Chip& chip : item.chips)
        if (chip.rect.contains(at) && m_scene.itemOf(chip.value)) {
            const std::vector<NodeId> value{chip.value};
            showNodes(value);
            emit selectionRequested(value, SelectionMode::replace);
            return true;
        }
    if (!item.canOpen || camera().zoom() < kLeastControlZoom)
        return false;
    const QRectF box = viewRectOf(id);
    const double side = kTriangleArea * camera().zoom();
    const QPointF corner = item.kind == ItemKind::frame ? box.topLeft() : QPointF(box.right() - side, box.top());
    if (!QRectF(corner, QSizeF(side, side)).contains(event.position()))
        return false;
    activateItem(id, event.modifiers().testFlag(Qt::AltModifier));
    return true;
}

void CanvasWidget::activateItem(ItemId id, bool recursive)
{
    if (!id)
        return;
    const Item& item = m_scene.item(id);
    if (item.canOpen)
        emit itemActivated(id, QString::fromStdString(item.key), recursive);
    else if (item.node)
        emit nodeActivated(item.node);
}

void CanvasWidget::mousePressEvent(QMouseEvent* event)
{
    if (m_pressed != nullptr)
        return;
    m_controlPressed = false;
    if (m_view.pressed(*event, false)) {
        updateCursor();
        return;
    }
    if (event->button() == Qt::LeftButton) {
        if (pressOverlay(*event))
            return;
        m_controlPressed = pressItemControls(*event);
        if (m_controlPressed)
            return;
    }
    m_pressed = toolFor(*event);
    if (m_pressed == nullptr)
        return;
    m_pressed->pressed(*this, toolEvent(*event));
    updateCursor();
}

void CanvasWidget::mouseMoveEvent(QMouseEvent* event)
{
    if (m_minimapDrag) {
        setCamera(m_minimap.cameraAt(event->position(), m_scene, camera(), size()));
        return;
    }
    if (m_view.moved(*event)) {
        updateHover({}, false);
        return;
    }
    if (m_pressed != nullptr)
        m_pressed->moved(*this, toolEvent(*event));
    else
        activeTool().hovered(*this, toolEvent(*event));
    updateHover(event->position(), true);
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent* event)
{
    m_minimapDrag = false;
    if (m_view.released(*event)) {
        updateCursor();
        return;
    }
    if (m_pressed == nullptr || (event->buttons() & (Qt::LeftButton | Qt::MiddleButton)) != Qt::NoButton)
        return;
    CanvasTool* tool = m_pressed;
    m_pressed = nullptr;
    tool->released(*this, toolEvent(*event));
    updateCursor();
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    const bool looks = m_toolKind == ToolKind::select || m_toolKind == ToolKind::pan;
    if (event->button() != Qt::LeftButton || !looks) {
        mousePressEvent(event);
        return;
    }
    if (m_controlPressed || pressOverlay(*event))
        return;
    const ToolEvent at = toolEvent(*event);
    // The ground of a frame belongs to panning; far out its title is too small to hit.
    const bool onGround = at.item && m_scene.item(at.item).kind == ItemKind::frame && !isOnFrameTitle(*this, at);
    if (!onGround || camera().zoom() < kLeastControlZoom)
        activateItem(at.item, event->modifiers().testFlag(Qt::AltModifier));
}

void CanvasWidget::wheelEvent(QWheelEvent* event)
{
    m_view.wheel(*event);
}

void CanvasWidget::updateHover(QPointF view, bool inside)
{
    ItemId item = inside && m_pressed == nullptr ? itemAt(view) : ItemId();
    if (item && m_scene.item(item).kind == ItemKind::frame)
        item = {};
    if (item == m_hovered)
        return;
    m_hovered = item;
    update();
    emit hovered(item ? m_scene.item(item).nodes : std::vector<NodeId>());
}

void CanvasWidget::updateCursor()
{
    setCursor(m_pressed != nullptr ? m_pressed->cursor() : m_view.cursor().value_or(activeTool().cursor()));
}

void CanvasWidget::leaveEvent(QEvent*)
{
    updateHover({}, false);
}

void CanvasWidget::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const ItemId item = byKey ? m_current : itemAt(event->pos());
    const QPoint at = byKey && item ? mapToGlobal(viewRectOf(item).center().toPoint()) : event->globalPos();
    emit contextMenuRequested(item, at);
}

bool CanvasWidget::showToolTip(const QHelpEvent& event)
{
    for (const EdgeArrow& arrow : m_arrows)
        if (arrow.rect.contains(event.pos())) {
            QToolTip::showText(event.globalPos(), tr("%1: a click goes to the nearest, G to the next").arg(textOf(arrow)), this,
                               arrow.rect.toAlignedRect());
            return true;
        }
    const ItemId item = itemAt(event.pos());
    if (item && m_scene.item(item).kind != ItemKind::frame) {
        QToolTip::showText(event.globalPos(), tooltipOf(m_scene, item), this, viewRectOf(item).toAlignedRect());
        return true;
    }
    const QPointF scene = camera().toScene(event.pos());
    const std::int64_t edge = m_scene.index().edgeAt({static_cast<float>(scene.x()), static_cast<float>(scene.y())},
                                                     static_cast<float>(kEdgeReach / camera().zoom()));
    if (edge >= 0)
        QToolTip::showText(event.globalPos(), edgeTooltip(m_scene, static_cast<std::uint32_t>(edge)), this);
    else if (item)
        QToolTip::showText(event.globalPos(), tooltipOf(m_scene, item), this);
    else
        QToolTip::hideText();
    return true;
}

bool CanvasWidget::event(QEvent* event)
{
    switch (event->type()) {
    case QEvent::ToolTip: return showToolTip(*static_cast<QHelpEvent*>(event));
    case QEvent::NativeGesture: return m_view.gesture(*static_cast<QNativeGestureEvent*>(event)) || QWidget::event(event);
    default: break;
    }
    return QWidget::event(event);
}

} // namespace sunder
