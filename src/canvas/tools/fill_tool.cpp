#include "canvas/tools/fill_tool.h"

#include <utility>

namespace sunder {
namespace {

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

} // namespace

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

} // namespace sunder
