#pragma once

#include "canvas/canvas_types.h"

#include <span>
#include <vector>

namespace sunder {

/// What mouse and keys do in a graph, beside the commands of the window.
struct Gesture {
    const char* keys;
    const char* does;
    bool isInLegend; ///< of those that one needs first
    const char* strokes = ""; ///< keys among them that a command could have as well, as QKeySequence reads them, a space between
};

/// All of them, in the order in which they are learned, as the wheel is set.
std::span<const Gesture> canvasGestures();

/// What a legend says while a tool is chosen: its own gestures, or, of tools that only look, those that one needs first.
std::vector<Gesture> legendOf(ToolKind tool);

} // namespace sunder
