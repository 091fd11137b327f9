#pragma once

#include <span>

namespace sunder {

/// What mouse and keys do in a graph, beside the commands of the window.
struct Gesture {
    const char* keys;
    const char* does;
    bool isInLegend; ///< of those that one needs first
};

/// All of them, in the order in which they are learned.
std::span<const Gesture> canvasGestures();

} // namespace sunder
