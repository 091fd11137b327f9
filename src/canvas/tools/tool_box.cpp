#include "canvas/tools/tool_box.h"

#include "canvas/tools/fill_tool.h"
#include "canvas/tools/lasso_tool.h"
#include "canvas/tools/pan_tool.h"
#include "canvas/tools/rectangle_tool.h"
#include "canvas/tools/select_tool.h"
#include "canvas/tools/stroke_tool.h"

#include <utility>

namespace sunder {

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
