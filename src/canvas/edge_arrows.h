#pragma once

#include "canvas/canvas_scene.h"
#include "canvas/paint_context.h"

#include <QPainter>

namespace sunder {

/// An arrow at a border of the view that stands for ringed items beyond it.
struct EdgeArrow {
    enum class Side : std::uint8_t { top, right, bottom, left } side = Side::top;
    QRectF rect;             ///< in view coordinates
    std::uint32_t count = 0; ///< items beyond
    ItemId nearest;          ///< of them
};

/// Arrows for ringed items out of view; they keep clear of `covered`, a corner of the view that something else takes.
/// O(ringed items).
std::vector<EdgeArrow> edgeArrows(const CanvasScene& scene, const Camera& camera, const QRectF& view, const QRectF& covered = {});
void paintEdgeArrows(QPainter& painter, const Theme& theme, const std::vector<EdgeArrow>& arrows);
/// "3 selected or found above"
QString textOf(const EdgeArrow& arrow);

/// The ringed item that follows, or precedes, an item as one reads the picture: row by row. Past the last one it begins
/// again; from no item the first. Invalid when none is ringed. O(ringed items).
ItemId nextRinged(const CanvasScene& scene, ItemId from, bool forward);

} // namespace sunder
