#pragma once

#include "canvas/canvas_sight.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The edges that a point of the view means: the one that is drawn there, a few pixels away at most, or those that the chip
/// there stands for. None on an item or on the title of a frame, which lie over edges. Costs what is drawn near the point.
std::vector<std::uint32_t> edgesUnder(const CanvasSight& sight, QPointF at);

/// The end of an edge to which one goes from a point: the one that is out of sight where the other is in it, else the
/// farther one.
ItemId otherEnd(const CanvasSight& sight, std::uint32_t edge, QPointF at);

/// The end of an edge that is not this item; invalid when neither is.
ItemId otherEnd(const CanvasScene& scene, std::uint32_t edge, ItemId item);

} // namespace sunder
