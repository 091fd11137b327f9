#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/tools/canvas_tool.h"

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

/// A control of an item that handles a press instead of the item.
struct ItemControl {
    enum class Kind : std::uint8_t {
        none,
        chip, ///< navigates to `value`, which is shown elsewhere in the picture
        edge, ///< an end of cut edges; `edge` is the first of them
        triangle, ///< opens a closed item or closes a frame
    } kind = Kind::none;
    NodeId value;
    std::uint32_t edge = 0;
};

/// Returns the control at a point of the view. At small zooms, triangles are too small to click.
ItemControl controlAt(const CanvasSight& sight, QPointF at);

/// Returns whether a double click applies to the item under it. The background of a frame is for panning, unless the frame's
/// title is too small to click.
bool isForItem(const ToolHost& host, const ToolEvent& doubleClick);

} // namespace sunder
