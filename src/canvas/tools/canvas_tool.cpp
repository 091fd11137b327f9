#include "canvas/tools/canvas_tool.h"

#include "canvas/label_painter.h"
#include "support/format.h"

#include <algorithm>

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

Rect seenScene(const ToolHost& host)
{
    return host.camera().toScene(QRectF(QPointF(), host.viewSize()));
}

void strokeOnce(ToolHost& host, StrokeKind kind, const std::vector<NodeId>& nodes)
{
    if (nodes.empty())
        return;
    host.startStroke(kind);
    host.extendStroke(nodes);
    host.finishStroke();
}

std::vector<NodeId> nodesByKey(const ToolHost& host, ItemId item)
{
    if (!item)
        return {};
    const CanvasScene& scene = host.scene();
    if (!scene.looks()[item].selected)
        return scene.item(item).nodes;
    std::vector<ItemId> selected;
    for (std::uint32_t index = 0; index < scene.picture().items.size(); ++index)
        if (const ItemId id(index); scene.looks()[id].selected && scene.item(id).kind != ItemKind::frame)
            selected.push_back(id);
    return selected.empty() ? scene.item(item).nodes : scene.nodesOf(selected);
}

QString opsAmong(const ToolHost& host, std::span<const NodeId> nodes)
{
    const PictureStyle& style = host.scene().style();
    const auto ops = std::ranges::count_if(nodes, [&](NodeId node) { return style.tag(node) != PictureStyle::kTakesNoTag; });
    return toQString(formatCount(static_cast<std::size_t>(ops), "op"));
}

void paintBeside(QPainter& painter, const Theme& theme, QPointF at, const QString& words)
{
    const PictureFonts& fonts = pictureFonts();
    QRectF label(at + QPointF(12, 12), QSizeF(LabelPainter::width(words, fonts.detail, 1.1) + 12, 18));
    const QRectF view = QRectF(painter.window()).adjusted(4, 4, -4, -4);
    label.translate(std::min(0.0, view.right() - label.right()), std::min(0.0, view.bottom() - label.bottom()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(label, 4, 4);
    LabelPainter(painter).paint(words, fonts.detail, 1.1, label.bottomLeft() + QPointF(6, -5), label.width(), theme.text);
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
