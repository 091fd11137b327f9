#pragma once

#include "canvas/canvas_types.h"

#include <span>
#include <vector>

namespace sunder {

/// A mouse or keyboard gesture in a graph, apart from the window's commands.
struct Gesture {
    const char* keys;
    const char* does;
    bool isInLegend; ///< one of the basic gestures
    const char* strokes = ""; ///< its keys that could also be shortcuts, in QKeySequence format, separated by spaces
};

/// Returns all gestures for the current wheel setting, in the order for learning them.
std::span<const Gesture> canvasGestures();

/// Returns the legend of a tool: its own gestures, or the basic ones for tools that do not change tags.
std::vector<Gesture> legendOf(ToolKind tool);

} // namespace sunder
