#include "canvas/tools/canvas_tool.h"

namespace sunder {

bool isOnFrameTitle(const ToolHost& host, const ToolEvent& event)
{
    return isOnFrameTitle(CanvasSight{host.scene(), host.camera(), {}}, event.item, event.view);
}

std::vector<NodeId> nodesUnder(const ToolHost& host, const ToolEvent& event)
{
    if (!event.item)
        return {};
    const Item& item = host.scene().item(event.item);
    return item.kind != ItemKind::frame || isOnFrameTitle(host, event) ? item.nodes : std::vector<NodeId>();
}

void paintRubberBand(QPainter& painter, const QRectF& rect, const QColor& color)
{
    QColor fill = color;
    fill.setAlphaF(0.1F);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(color, 1));
    painter.setBrush(fill);
    painter.drawRect(rect);
}

} // namespace sunder
