#include "canvas/tools/tool_box.h"

#include "canvas/tools/pan_tool.h"
#include "canvas/tools/rectangle_tool.h"
#include "canvas/tools/select_tool.h"
#include "canvas/tools/stroke_tool.h"

#include <utility>

namespace sunder {

ToolBox::ToolBox(ToolHost& host)
    : m_host(host),
      m_tools{std::make_unique<SelectTool>(), std::make_unique<StrokeTool>(StrokeKind::paint),
              std::make_unique<StrokeTool>(StrokeKind::erase), std::make_unique<RectangleTool>(), std::make_unique<PanTool>()}
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
    m_pressed = &tool(event.modifiers.testFlag(Qt::ShiftModifier) ? ToolKind::select : m_chosen);
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
