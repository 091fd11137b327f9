#include "canvas/overlay_controls.h"

#include <algorithm>

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

} // namespace sunder
