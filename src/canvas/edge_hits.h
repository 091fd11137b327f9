#pragma once

#include "canvas/canvas_sight.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Returns the edges at a point of the view: the edge within a few pixels, or the edges of the chip there. Items and frame titles
/// cover edges, so there are none on them. Cost proportional to the items drawn near the point.
std::vector<std::uint32_t> edgesUnder(const CanvasSight& sight, QPointF at);

/// Returns the end of an edge to navigate to from a point: the invisible one if exactly one end is visible, otherwise the farther
/// one.
ItemId otherEnd(const CanvasSight& sight, std::uint32_t edge, QPointF at);

/// Returns the end of an edge opposite to this item; invalid if the item is neither end.
ItemId otherEnd(const CanvasScene& scene, std::uint32_t edge, ItemId item);

} // namespace sunder
