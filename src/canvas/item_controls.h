#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// What a press on an item is for when it is not for the item itself.
struct ItemControl {
    enum class Kind : std::uint8_t {
        none,
        chip,     ///< leads to `value`, which is shown elsewhere in the picture
        edge,     ///< an end of cut edges, of which `edge` is the first
        triangle, ///< opens a closed item, closes a frame
    } kind = Kind::none;
    NodeId value;
    std::uint32_t edge = 0;
};

/// What is under a point of the view; far out, triangles are too small to be hit.
ItemControl controlAt(const CanvasSight& sight, QPointF at);

/// Whether a double click is for the item under it. The ground of a frame belongs to panning, unless one is so far out that its
/// title is too small to hit.
bool isForItem(const ToolHost& host, const ToolEvent& doubleClick);

} // namespace sunder
