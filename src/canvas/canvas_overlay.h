#pragma once

#include "canvas/backward_cards.h"
#include "canvas/canvas_scene.h"

#include <array>

namespace sunder {

/// An arrow at a border of the view that stands for highlighted items beyond it.
struct EdgeArrow {
    enum class Side : std::uint8_t { top, right, bottom, left } side = Side::top;
    QRectF rect;             ///< in view coordinates
    std::uint32_t count = 0; ///< items beyond
    ItemId nearest;          ///< of them
};

/// Painted over the picture: what belongs to the item in question (its producers and consumers in two colours, with
/// the chips that come from it or go to it).
void paintRelations(QPainter& painter, const PaintContext& context, const CanvasScene& scene, ItemId item);

/// The ring around the item that keys act on.
void paintFocusRing(QPainter& painter, const PaintContext& context, ItemId item);

/// Arrows for counterparts out of view. O(items) when there are any counterparts.
std::vector<EdgeArrow> edgeArrows(const PaintContext& context, const CanvasScene& scene);
void paintEdgeArrows(QPainter& painter, const Theme& theme, const std::vector<EdgeArrow>& arrows);

/// Where the legend of gestures may be: corners of the view, the preferred one first; none in a small view.
std::vector<QRectF> legendPlaces(QSizeF view);
QRectF legendCross(const QRectF& legend);
void paintLegend(QPainter& painter, const Theme& theme, const QRectF& legend);

} // namespace sunder
