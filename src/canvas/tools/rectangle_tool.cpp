#include "canvas/tools/rectangle_tool.h"

#include "canvas/label_painter.h"

namespace sunder {

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

} // namespace sunder
