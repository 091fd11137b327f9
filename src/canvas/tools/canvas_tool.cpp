#include "canvas/tools/canvas_tool.h"

namespace sunder {

bool isOnFrameTitle(const ToolHost& host, const ToolEvent& event)
{
    if (!event.item || host.scene().item(event.item).kind != ItemKind::frame)
        return false;
    constexpr double kBand = 22;
    constexpr double kLeastBand = 14;
    const QRectF frame = host.camera().toView(host.scene().item(event.item).rect);
    return event.view.y() - frame.top() <= std::max(kBand * host.camera().zoom(), kLeastBand);
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
