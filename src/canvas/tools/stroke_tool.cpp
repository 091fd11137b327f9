#include "canvas/tools/stroke_tool.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

bool touches(const QRectF& box, QPointF center, double radius)
{
    const QPointF nearest(std::clamp(center.x(), box.left(), box.right()), std::clamp(center.y(), box.top(), box.bottom()));
    return std::hypot(nearest.x() - center.x(), nearest.y() - center.y()) <= radius;
}

} // namespace

void StrokeTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_active = true;
    m_now = event.view;
    m_taken.clear();
    host.startStroke(m_kind);
    // A title stands for everything in its frame; the ground of a frame for nothing.
    if (isOnFrameTitle(host, event))
        take(host, host.scene().item(event.item).nodes);
    else
        takeAlong(host, m_now, m_now);
}

void StrokeTool::moved(ToolHost& host, const ToolEvent& event)
{
    const QPointF before = m_now;
    m_now = event.view;
    if (m_active)
        takeAlong(host, before, m_now);
    host.requestOverlay();
}

void StrokeTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    takeAlong(host, m_now, event.view);
    m_active = false;
    host.finishStroke();
}

void StrokeTool::hovered(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    m_shown = true;
    host.requestOverlay();
}

bool StrokeTool::cancel(ToolHost& host)
{
    if (!m_active)
        return false;
    m_active = false;
    host.cancelStroke();
    return true;
}

void StrokeTool::deactivate(ToolHost& host)
{
    cancel(host);
    m_shown = false;
}

void StrokeTool::takeAlong(ToolHost& host, QPointF from, QPointF to)
{
    const double radius = host.brushRadius();
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    // The mouse reports a few places a frame; the steps between are short enough not to skip a box.
    const int steps = std::clamp(static_cast<int>(std::ceil(length / std::max(radius, 2.0))), 1, 2000);
    const QRectF swept = QRectF(from, to).normalized().adjusted(-radius, -radius, radius, radius);
    std::vector<NodeId> nodes;
    for (const ItemId id : host.scene().closedItemsIn(host.camera().toScene(swept))) {
        const QRectF box = host.camera().toView(host.scene().item(id).rect);
        bool hit = false;
        for (int step = 0; step <= steps && !hit; ++step)
            hit = touches(box, from + (to - from) * (static_cast<double>(step) / steps), radius);
        if (hit)
            nodes.insert(nodes.end(), host.scene().item(id).nodes.begin(), host.scene().item(id).nodes.end());
    }
    take(host, nodes);
}

void StrokeTool::take(ToolHost& host, const std::vector<NodeId>& nodes)
{
    std::vector<NodeId> fresh;
    for (const NodeId node : nodes)
        if (m_taken.insert(node))
            fresh.push_back(node);
    if (!fresh.empty())
        host.extendStroke(fresh);
}

void StrokeTool::paint(const ToolHost& host, QPainter& painter) const
{
    if (!m_shown && !m_active)
        return;
    const Theme& theme = *host.scene().style().theme;
    const QColor color = host.strokeColor(m_kind);
    const double radius = host.brushRadius();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.canvas, 3));
    painter.drawEllipse(m_now, radius, radius);
    painter.setPen(QPen(color.isValid() ? color : theme.text, 1.5, m_kind == StrokeKind::erase ? Qt::DashLine : Qt::SolidLine));
    painter.drawEllipse(m_now, radius, radius);
}

} // namespace sunder
