#pragma once

#include "canvas/canvas_sight.h"
#include "canvas/tools/canvas_tool.h"

namespace sunder {

/// A control of an item that handles a press instead of the item.
struct ItemControl {
    enum class Kind : std::uint8_t {
        none,
        chip,     ///< navigates to `value`, which is shown elsewhere in the picture
        edge,     ///< an end of cut edges; `edge` is the first of them
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
