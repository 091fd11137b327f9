#include "canvas/tools/rectangle_tool.h"

#include "canvas/label_painter.h"
#include "support/format.h"

namespace sunder {

void RectangleTool::pressed(ToolHost&, const ToolEvent& event)
{
    m_active = true;
    m_kind = event.modifiers.testFlag(Qt::AltModifier) ? StrokeKind::erase : StrokeKind::paint;
    m_start = m_now = event.view;
}

void RectangleTool::moved(ToolHost& host, const ToolEvent& event)
{
    m_now = event.view;
    host.requestOverlay();
}

void RectangleTool::released(ToolHost& host, const ToolEvent& event)
{
    if (!m_active)
        return;
    m_now = event.view;
    m_active = false;
    host.requestOverlay();
    const std::vector<NodeId> nodes = isOnFrameTitle(host, event) && m_start == m_now
        ? host.scene().item(event.item).nodes
        : host.scene().nodesOf(host.scene().closedItemsIn(host.camera().toScene(rect())));
    if (nodes.empty())
        return;
    host.startStroke(m_kind);
    host.extendStroke(nodes);
    host.finishStroke();
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
    paintRubberBand(painter, rect(), color.isValid() ? color : theme.selection);
    // What a release would do, said before it is done.
    const std::size_t count = host.scene().nodesOf(host.scene().closedItemsIn(host.camera().toScene(rect()))).size();
    const QString text = toQString(formatCount(count, "node"));
    const PictureFonts& fonts = pictureFonts();
    const QRectF label(m_now + QPointF(12, 12), QSizeF(LabelPainter::width(text, fonts.detail, 1.1) + 12, 18));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(label, 4, 4);
    LabelPainter(painter).paint(text, fonts.detail, 1.1, label.bottomLeft() + QPointF(6, -5), label.width(), theme.text);
}

} // namespace sunder
