#include "canvas/tools/stroke_tool.h"

#include "canvas/item_hits.h"

#include <algorithm>
#include <cmath>

namespace sunder {
namespace {

constexpr double kWireStep = 3; ///< pixels between two tests for edges along the path of the tip

bool touches(const QRectF& box, QPointF center, double radius)
{
    const QPointF nearest(std::clamp(center.x(), box.left(), box.right()), std::clamp(center.y(), box.top(), box.bottom()));
    return std::hypot(nearest.x() - center.x(), nearest.y() - center.y()) <= radius;
}

/// Keeps the tip in the view, because its effects outside would be invisible.
QPointF heldIn(QSizeF view, QPointF at)
{
    return {std::clamp(at.x(), 0.0, view.width()), std::clamp(at.y(), 0.0, view.height())};
}

QRectF aroundTip(QPointF from, QPointF to, double radius)
{
    return QRectF(from, to).normalized().adjusted(-radius, -radius, radius, radius);
}

} // namespace

std::vector<std::uint32_t> wiresUnderTip(const CanvasSight& sight, QPointF at, double radius)
{
    for (const ItemId id : sight.scene.closedItemsIn(sight.camera.toScene(aroundTip(at, at, radius))))
        if (touches(sight.viewRectOf(id), at, radius))
            return {};
    return edgesUnder(sight, at);
}

void StrokeTool::pressed(ToolHost& host, const ToolEvent& event)
{
    m_active = true;
    m_now = event.view;
    m_taken.clear();
    m_wireEnds.clear();
    host.startStroke(m_kind);
    // A title takes everything in its frame, the background of a frame takes nothing.
    if (isOnFrameTitle(host, event))
        take(host, host.scene().item(event.item).nodes);
    else
        takeOver(host, event.view);
    m_reached = host.camera().toScene(heldIn(host.viewSize(), event.view));
}

void StrokeTool::moved(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    if (m_active) {
        const QPointF from = host.camera().toView(m_reached);
        const QPointF to = heldIn(host.viewSize(), event.view);
        if (m_wireEnds.empty())
            takeAlong(host, from, to);
        else
            takeWires(host, from, to);
        m_reached = host.camera().toScene(to);
    }
    host.requestOverlay();
}

void StrokeTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    moved(host, event);
    m_active = false;
    host.finishStroke();
}

void StrokeTool::hovered(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    m_shown = true;
    host.requestOverlay();
}

bool StrokeTool::used(ToolHost& host, ItemId item)
{
    if (item)
        strokeOnce(host, m_kind, host.scene().item(item).nodes);
    return true;
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

void StrokeTool::takeOver(ToolHost& host, QPointF view)
{
    const CanvasSight sight{host.scene(), host.camera(), host.viewSize()};
    const std::vector<std::uint32_t> wires = wiresUnderTip(sight, view, host.brushRadius());
    if (wires.empty())
        return takeAlong(host, view, view);
    std::vector<NodeId> nodes;
    takeWire(host, wires.front(), nodes);
    take(host, nodes);
}

void StrokeTool::takeAlong(ToolHost& host, QPointF from, QPointF to)
{
    const double radius = host.brushRadius();
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    // The mouse reports a few positions per frame; the steps in between are short enough not to skip a box.
    const int steps = std::clamp(static_cast<int>(std::ceil(length / std::max(radius, 2.0))), 1, 2000);
    const QRectF view(QPointF(), host.viewSize());
    std::vector<NodeId> nodes;
    for (const ItemId id : host.scene().closedItemsIn(host.camera().toScene(aroundTip(from, to, radius)))) {
        const QRectF box = host.camera().toView(host.scene().item(id).rect);
        bool hit = false;
        for (int step = 0; step <= steps && !hit; ++step)
            hit = touches(box, from + (to - from) * (static_cast<double>(step) / steps), radius);
        if (hit && box.intersects(view))
            nodes.insert(nodes.end(), host.scene().item(id).nodes.begin(), host.scene().item(id).nodes.end());
    }
    take(host, nodes);
}

void StrokeTool::takeWires(ToolHost& host, QPointF from, QPointF to)
{
    const CanvasSight sight{host.scene(), host.camera(), host.viewSize()};
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    const int steps = std::clamp(static_cast<int>(std::ceil(length / kWireStep)), 1, 500);
    std::vector<NodeId> nodes;
    const auto isEnd = [this](ItemId item) { return std::ranges::find(m_wireEnds, item) != m_wireEnds.end(); };
    for (int step = 0; step <= steps; ++step)
        for (const std::uint32_t wire : edgesUnder(sight, from + (to - from) * (static_cast<double>(step) / steps))) {
            const PictureEdge& edge = host.scene().picture().edges[wire];
            if (isEnd(edge.from) || isEnd(edge.to))
                takeWire(host, wire, nodes);
        }
    take(host, nodes);
}

void StrokeTool::takeWire(const ToolHost& host, std::uint32_t edge, std::vector<NodeId>& nodes)
{
    const QRectF view(QPointF(), host.viewSize());
    for (const ItemId end : {host.scene().picture().edges[edge].from, host.scene().picture().edges[edge].to}) {
        if (std::ranges::find(m_wireEnds, end) == m_wireEnds.end())
            m_wireEnds.push_back(end);
        const Item& item = host.scene().item(end);
        if (item.kind != ItemKind::frame && host.camera().toView(item.rect).intersects(view)) // skip ends outside the view
            nodes.insert(nodes.end(), item.nodes.begin(), item.nodes.end());
    }
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
