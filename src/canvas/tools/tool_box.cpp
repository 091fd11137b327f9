#include "canvas/tools/tool_box.h"

#include "canvas/label_painter.h"
#include "canvas/tools/canvas_tool.h"
#include "canvas/tools/lasso_tool.h"
#include "canvas/tools/seen_items.h"
#include "canvas/tools/stroke_tool.h"

#include <utility>

namespace sunder {
namespace {

/// Fill and wand: previews the fill from the item under the mouse, or from the current one, and executes it on a click. The owner
/// of the canvas determines its nodes.
class FillTool final : public CanvasTool {
public:
    void activate(ToolHost& host) override;
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    void hovered(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    void reached(ToolHost& host, ItemId item) override;
    bool cancel(ToolHost& host) override;
    [[nodiscard]] QCursor cursor() const override { return Qt::PointingHandCursor; }

private:
    ItemId m_pressed;
};

/// Makes the tag under the mouse the active one.
class EyedropperTool final : public CanvasTool {
public:
    void pressed(ToolHost&, const ToolEvent&) override {}
    void moved(ToolHost&, const ToolEvent&) override {}
    void released(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    [[nodiscard]] QCursor cursor() const override { return Qt::PointingHandCursor; }
};

/// Returns the item that the mouse points at; invalid on the background of a frame.
ItemId meantBy(const ToolHost& host, const ToolEvent& event)
{
    return nodesUnder(host, event).empty() ? ItemId() : event.item;
}

/// Returns the position of the card for an item that was reached by keyboard.
QPointF besideItem(const ToolHost& host, ItemId item)
{
    const QRectF at = host.camera().toView(host.scene().item(item).rect);
    return {at.right(), at.center().y()};
}

void FillTool::activate(ToolHost& host)
{
    reached(host, host.currentItem());
}

void FillTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_pressed = meantBy(host, event);
    host.pointFill(m_pressed, event.view);
}

void FillTool::moved(ToolHost& host, const ToolEvent& event)
{
    host.pointFill(meantBy(host, event), event.view);
}

void FillTool::released(ToolHost& host, const ToolEvent& event)
{
    const ItemId pressed = std::exchange(m_pressed, ItemId());
    if (pressed && pressed == meantBy(host, event)) // releasing elsewhere cancels
        host.takeFill(pressed);
}

void FillTool::hovered(ToolHost& host, const ToolEvent& event)
{
    host.pointFill(meantBy(host, event), event.view);
}

bool FillTool::used(ToolHost& host, ItemId item)
{
    if (item)
        host.takeFill(item);
    return true;
}

void FillTool::reached(ToolHost& host, ItemId item)
{
    if (item)
        host.pointFill(item, besideItem(host, item));
}

bool FillTool::cancel(ToolHost& host)
{
    m_pressed = {};
    return host.cancelFill();
}

void EyedropperTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!nodesUnder(host, event).empty())
        host.requestTagOf(event.item);
}

bool EyedropperTool::used(ToolHost& host, ItemId item)
{
    if (item)
        host.requestTagOf(item);
    return true;
}

/// Click selects, Ctrl+click toggles, drag pans, Shift+drag selects the items that a rectangle touches.
class SelectTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    bool cancel(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] bool scrollsAtEdge() const override { return m_state == State::rectangle; }

private:
    enum class State : std::uint8_t { idle, pressed, panning, rectangle };

    [[nodiscard]] QRectF band(const ToolHost& host) const;
    void click(ToolHost& host, const ToolEvent& event);

    State m_state = State::idle;
    QPointF m_start;
    QPointF m_now;
    QPointF m_corner; ///< of the rectangle, in the scene, which can move under the mouse
    Camera m_startCamera;
};

constexpr double kDragDistance = 4;

void SelectTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_state = event.modifiers.testFlag(Qt::ShiftModifier) ? State::rectangle : State::pressed;
    m_start = m_now = event.view;
    m_corner = host.camera().toScene(event.view);
    m_startCamera = host.camera();
}

void SelectTool::moved(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    if (m_state == State::pressed && (m_now - m_start).manhattanLength() >= kDragDistance)
        m_state = State::panning;
    if (m_state == State::panning)
        host.panFrom(m_startCamera, m_now - m_start);
    else if (m_state == State::rectangle)
        host.requestOverlay();
}

void SelectTool::released(ToolHost& host, const ToolEvent& event)
{
    const State was = m_state;
    m_state = State::idle;
    m_now = event.view;
    const QPointF start = was == State::rectangle ? host.camera().toView(m_corner) : m_start;
    const bool dragged = (m_now - start).manhattanLength() >= kDragDistance;
    if (was == State::rectangle && dragged) {
        const Rect area = host.camera().toScene(band(host));
        const bool adds = event.modifiers.testFlag(Qt::ControlModifier);
        host.requestSelection(host.scene().nodesOf(host.scene().closedItemsIn(area)),
                              adds ? SelectionMode::add : SelectionMode::replace);
    } else if (was == State::pressed || was == State::rectangle) {
        click(host, event);
    }
    host.requestOverlay();
}

QRectF SelectTool::band(const ToolHost& host) const
{
    return QRectF(host.camera().toView(m_corner), m_now).normalized();
}

void SelectTool::click(ToolHost& host, const ToolEvent& event)
{
    const std::vector<NodeId> nodes = nodesUnder(host, event);
    const bool adds = (event.modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) != Qt::NoModifier;
    if (!nodes.empty())
        host.makeCurrent(event.item);
    if (nodes.empty() && !adds && host.requestEdge(event.view))
        return;
    if (!nodes.empty() || !adds)
        host.requestSelection(nodes, adds ? SelectionMode::toggle : SelectionMode::replace);
}

bool SelectTool::cancel(ToolHost& host)
{
    if (m_state == State::idle)
        return false;
    m_state = State::idle;
    host.requestOverlay();
    return true;
}

void SelectTool::paint(const ToolHost& host, QPainter& painter) const
{
    if (m_state == State::rectangle)
        paintRubberBand(painter, band(host), host.scene().style().theme->selection);
}

/// Drags a rectangle. On release, all items that it touches and that were visible get the active tag in one stroke, or lose their
/// tags with Alt. A click takes the item under it.
class RectangleTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override;
    void moved(ToolHost& host, const ToolEvent& event) override;
    void released(ToolHost& host, const ToolEvent& event) override;
    bool used(ToolHost& host, ItemId item) override;
    bool cancel(ToolHost& host) override;
    void paint(const ToolHost& host, QPainter& painter) const override;
    [[nodiscard]] bool scrollsAtEdge() const override { return true; }
    [[nodiscard]] QCursor cursor() const override { return Qt::CrossCursor; }

private:
    [[nodiscard]] Rect area() const;
    [[nodiscard]] std::vector<NodeId> taken(const ToolHost& host) const;

    bool m_active = false;
    StrokeKind m_kind = StrokeKind::paint;
    QPointF m_start; ///< in the scene, which can move under the mouse
    QPointF m_now; ///< likewise
    SeenItems m_seen;
};

Rect RectangleTool::area() const
{
    const QRectF rect = QRectF(m_start, m_now).normalized();
    return {static_cast<float>(rect.x()), static_cast<float>(rect.y()), static_cast<float>(rect.width()),
            static_cast<float>(rect.height())};
}

std::vector<NodeId> RectangleTool::taken(const ToolHost& host) const
{
    return host.scene().nodesOf(m_seen.in(host.scene(), area()));
}

void RectangleTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_active = true;
    m_kind = event.modifiers.testFlag(Qt::AltModifier) ? StrokeKind::erase : StrokeKind::paint;
    m_start = m_now = host.camera().toScene(event.view);
    m_seen.begin(host);
}

void RectangleTool::moved(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    m_now = host.camera().toScene(event.view);
    m_seen.note(host);
    host.requestOverlay();
}

void RectangleTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    moved(host, event);
    m_active = false;
    host.requestOverlay();
    const bool isTitle = isOnFrameTitle(host, event) && m_start == m_now;
    strokeOnce(host, m_kind, isTitle ? host.scene().item(event.item).nodes : taken(host));
}

bool RectangleTool::used(ToolHost& host, ItemId item)
{
    strokeOnce(host, StrokeKind::paint, nodesByKey(host, item));
    return true;
}

bool RectangleTool::cancel(ToolHost& host)
{
    const bool was = m_active;
    m_active = false;
    host.requestOverlay();
    return was;
}

void RectangleTool::paint(const ToolHost& host, QPainter& painter) const
{
    if (!m_active)
        return;
    const Theme& theme = *host.scene().style().theme;
    const QColor color = host.strokeColor(m_kind);
    paintRubberBand(painter, host.camera().toView(QRectF(m_start, m_now).normalized()),
                    color.isValid() ? color : theme.selection);
    // Preview of a release.
    paintBeside(painter, theme, host.camera().toView(m_now), opsAmong(host, taken(host)));
}

/// Pans the view.
class PanTool final : public CanvasTool {
public:
    void pressed(ToolHost& host, const ToolEvent& event) override
    {
        m_start = event.view;
        m_startCamera = host.camera();
        m_held = true;
    }
    void moved(ToolHost& host, const ToolEvent& event) override
    {
        if (m_held)
            host.panFrom(m_startCamera, event.view - m_start);
    }
    void released(ToolHost&, const ToolEvent&) override { m_held = false; }
    [[nodiscard]] QCursor cursor() const override { return m_held ? Qt::ClosedHandCursor : Qt::OpenHandCursor; }

private:
    QPointF m_start;
    Camera m_startCamera;
    bool m_held = false;
};

} // namespace

ToolBox::ToolBox(ToolHost& host)
    : m_host(host), m_tools{std::make_unique<SelectTool>(),
                            std::make_unique<StrokeTool>(StrokeKind::paint),
                            std::make_unique<StrokeTool>(StrokeKind::erase),
                            std::make_unique<RectangleTool>(),
                            std::make_unique<LassoTool>(),
                            std::make_unique<FillTool>(),
                            std::make_unique<FillTool>(),
                            std::make_unique<EyedropperTool>(),
                            std::make_unique<PanTool>()}
{
}

bool ToolBox::choose(ToolKind kind)
{
    if (kind == m_chosen)
        return false;
    tool(m_chosen).deactivate(m_host);
    m_pressed = nullptr;
    m_chosen = kind;
    tool(m_chosen).activate(m_host);
    return true;
}

bool ToolBox::press(Qt::MouseButton button, const ToolEvent& event)
{
    if (button != Qt::LeftButton)
        return false;
    const bool strokes = m_chosen == ToolKind::brush || m_chosen == ToolKind::eraser;
    ToolKind kind = m_chosen;
    if (event.modifiers.testFlag(Qt::ShiftModifier))
        kind = ToolKind::select;
    else if (strokes && event.modifiers.testFlag(Qt::AltModifier))
        kind = ToolKind::eyedropper;
    m_pressed = &tool(kind);
    m_pressed->pressed(m_host, event);
    return true;
}

void ToolBox::move(const ToolEvent& event)
{
    if (m_pressed != nullptr)
        m_pressed->moved(m_host, event);
    else
        tool(m_chosen).hovered(m_host, event);
}

void ToolBox::release(const ToolEvent& event)
{
    if (CanvasTool* const released = std::exchange(m_pressed, nullptr))
        released->released(m_host, event);
}

bool ToolBox::cancel()
{
    CanvasTool* const pressed = std::exchange(m_pressed, nullptr);
    return (pressed != nullptr ? *pressed : tool(m_chosen)).cancel(m_host);
}

void ToolBox::abandonPress()
{
    if (CanvasTool* const pressed = std::exchange(m_pressed, nullptr))
        pressed->cancel(m_host);
}

std::optional<QCursor> ToolBox::pressedCursor() const
{
    return m_pressed != nullptr ? std::optional(m_pressed->cursor()) : std::nullopt;
}

void ToolBox::paint(QPainter& painter) const
{
    (m_pressed != nullptr ? *m_pressed : tool(m_chosen)).paint(m_host, painter);
}

} // namespace sunder
