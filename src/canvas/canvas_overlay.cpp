#include "canvas/canvas_overlay.h"

#include "canvas/edge_painter.h"

#include <algorithm>
#include <cmath>

namespace sunder {

QRectF OverlayControls::minimapRect(const CanvasSight& sight) const
{
    return m_isMinimapVisible ? m_minimap.rect(sight.scene, sight.camera, sight.view) : QRectF();
}

void OverlayControls::paint(QPainter& painter, const CanvasSight& sight, const PaintContext& context, bool hasty)
{
    m_cards = placeBackwardCards(context);
    paintBackwardCards(painter, context, m_cards);
    m_arrows = edgeArrows(sight.scene, sight.camera, QRectF(QPointF(), sight.view), minimapRect(sight));
    paintEdgeArrows(painter, context.theme(), m_arrows);
    if (m_isMinimapVisible)
        m_minimap.paint(painter, sight.scene, sight.camera, sight.view, context.pixelRatio, hasty);
    m_legend.paint(painter, context.theme());
}

OverlayControls::Press OverlayControls::pressed(QPointF at, const CanvasSight& sight)
{
    if (const GestureLegend::Press press = m_legend.pressed(at); press != GestureLegend::Press::beside)
        return {.kind = press == GestureLegend::Press::dismissed ? Press::Kind::dismissed : Press::Kind::taken};
    if (minimapRect(sight).contains(at)) {
        m_isMapDragged = true;
        return {.kind = Press::Kind::look, .camera = m_minimap.cameraAt(at, sight.scene, sight.camera, sight.view)};
    }
    if (const EdgeArrow* arrow = arrowAt(at))
        return {.kind = Press::Kind::look,
                .camera = sight.camera.centeredOn(sight.scene.item(arrow->nearest).rect.center(), sight.view)};
    if (const BackwardCard* card = cardAt(at))
        return {.kind = Press::Kind::card, .mark = card->mark};
    return {};
}

bool OverlayControls::isAt(QPointF at, const CanvasSight& sight) const
{
    return m_legend.rect().contains(at) || minimapRect(sight).contains(at) || arrowAt(at) != nullptr || cardAt(at) != nullptr;
}

std::optional<Camera> OverlayControls::dragged(QPointF at, const CanvasSight& sight) const
{
    if (!m_isMapDragged)
        return std::nullopt;
    return m_minimap.cameraAt(at, sight.scene, sight.camera, sight.view);
}

const EdgeArrow* OverlayControls::arrowAt(QPointF at) const
{
    const auto found = std::ranges::find_if(m_arrows, [at](const EdgeArrow& each) { return each.rect.contains(at); });
    return found == m_arrows.end() ? nullptr : &*found;
}

const BackwardCard* OverlayControls::cardAt(QPointF at) const
{
    const auto found = std::ranges::find_if(m_cards, [at](const BackwardCard& each) { return each.rect.contains(at); });
    return found == m_cards.end() ? nullptr : &*found;
}

namespace {

constexpr std::size_t kMaxRelations = 400;

void outline(QPainter& painter, const PaintContext& context, ItemId item, const QColor& color)
{
    const QRectF at = context.viewRect(context.picture.items[item.index()].rect);
    if (!at.intersects(context.view))
        return;
    const double radius = std::min(5 * context.zoom(), 6.0);
    painter.setPen(QPen(color, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(at, radius, radius);
}

/// Edges of values with many consumers are drawn only while the mouse points at them.
void paintPortal(QPainter& painter, const PaintContext& context, ItemId producer, const Chip& chip, const QColor& color)
{
    const QRectF from = context.viewRect(context.picture.items[producer.index()].rect);
    const QRectF to = context.viewRect(chip.rect);
    QPen pen(color, 1.3);
    pen.setDashPattern({2, 2.5});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const bool isRight = context.picture.direction == FlowDirection::right;
    const QPointF start = isRight ? QPointF(from.right(), from.center().y()) : QPointF(from.center().x(), from.bottom());
    const QPointF end = isRight ? QPointF(to.left(), to.center().y()) : QPointF(to.center().x(), to.top());
    const QPointF way = end - start;
    const QPointF bend = isRight ? QPointF(std::max(20.0, std::abs(way.x()) * 0.3), 0)
                                 : QPointF(0, std::max(20.0, std::abs(way.y()) * 0.3));
    QPainterPath path(start);
    path.cubicTo(start + bend, end - bend, end);
    painter.drawPath(path);
    painter.drawRoundedRect(to, to.height() / 2, to.height() / 2);
}

/// Returns the values of a chip; empty for ends of cut edges.
std::span<const NodeId> valuesOf(const Chip& chip)
{
    if (chip.kind != ChipKind::value)
        return {};
    return chip.more.empty() ? std::span(&chip.value, 1) : std::span<const NodeId>(chip.more);
}

void paintPortals(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item)
{
    const Theme& theme = context.theme();
    for (const Chip& chip : scene.item(item).chips)
        for (const NodeId value : valuesOf(chip))
            if (const ItemId producer = scene.itemOf(value)) {
                paintPortal(painter, context, producer, chip, theme.producer);
                outline(painter, context, producer, theme.producer);
            }
    if (scene.item(item).note.empty() || scene.item(item).kind == ItemKind::frame)
        return;
    const NodeSet own(scene.item(item).nodes);
    std::size_t painted = 0;
    for (const Item& other : scene.picture().items)
        for (const Chip& chip : other.chips)
            if (std::ranges::any_of(valuesOf(chip), [&](NodeId value) { return own.contains(value); })
                && ++painted < kMaxRelations)
                paintPortal(painter, context, item, chip, theme.consumer);
}

} // namespace

void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item)
{
    if (!item || scene.item(item).kind == ItemKind::frame)
        return;
    const Theme& theme = context.theme();
    painter.setRenderHint(QPainter::Antialiasing, true);
    EdgePainter edges(painter, context);
    const double width = std::clamp(1.8 * context.zoom(), 1.2, 2.4);
    const auto paintAll = [&](std::span<const std::uint32_t> list, ItemId PictureEdge::* end, const QColor& color) {
        for (const std::uint32_t edge : list.first(std::min(list.size(), kMaxRelations))) {
            if (!context.looks.isBackward(edge))
                edges.paintOne(scene.picture().edges[edge].path, color, width);
            outline(painter, context, scene.picture().edges[edge].*end, color);
        }
    };
    paintAll(scene.edgesInto(item), &PictureEdge::from, theme.producer);
    paintAll(scene.edgesFrom(item), &PictureEdge::to, theme.consumer);
    paintPortals(painter, context, scene, item);
    if (!context.looks[item].selected)
        outline(painter, context, item, theme.dim);
}

void paintEdges(QPainter& painter, const PaintContext& context, std::span<const std::uint32_t> edges, EdgeEmphasis emphasis)
{
    const Theme& theme = context.theme();
    const bool isSelected = emphasis == EdgeEmphasis::selected;
    const double width = (isSelected ? 2.0 : 0.9) + std::clamp(1.1 * context.zoom(), 0.8, 2.2);
    EdgePainter painting(painter, context);
    for (const std::uint32_t index : edges.first(std::min(edges.size(), kMaxRelations))) {
        const PictureEdge& edge = context.picture.edges[index];
        painting.paintOne(edge.path, theme.selection, width);
        outline(painter, context, edge.from, isSelected ? theme.selection : theme.producer);
        outline(painter, context, edge.to, isSelected ? theme.selection : theme.consumer);
    }
}

void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item)
{
    const QRectF at = context.viewRect(context.picture.items[item.index()].rect).adjusted(-3, -3, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(context.theme().text, 1.4));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(at, 6, 6);
}

} // namespace sunder
