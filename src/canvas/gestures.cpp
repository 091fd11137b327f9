#include "canvas/gestures.h"

#include <array>

namespace sunder {
namespace {

constexpr std::array kGestures{
    Gesture{"Wheel", "zoom at the cursor", true},
    Gesture{"Shift+wheel", "move sideways", false},
    Gesture{"Pinch", "zoom on a trackpad", false},
    Gesture{"Drag", "move the picture", true},
    Gesture{"Middle button, Space", "hold and drag to move the picture with any tool", false},
    Gesture{"Double-click, Enter", "open or close", true},
    Gesture{"Alt+double-click, Alt+Enter", "open with all inside", false},
    Gesture{"Backspace", "go up", true},
    Gesture{"Click", "select an op or a module", false},
    Gesture{"Click on an edge", "select it: what flows there, from where to where", false},
    Gesture{"Double-click on an edge", "go to its other end", false},
    Gesture{"Full stop, comma", "next and previous edge of the item; Enter goes along it", false},
    Gesture{"Shift+drag", "select a rectangle", true},
    Gesture{"Ctrl+click", "add to the selection", true},
    Gesture{"Arrows", "walk along the graph", true},
    Gesture{"Shift+arrows", "walk and add to the selection", false},
    Gesture{"Home, End", "go to the first and the last item", false},
    Gesture{"G", "next marked item", true},
    Gesture{"Shift+G", "marked item before", false},
    Gesture{"Escape", "clear the selection, stop a stroke", false},
    Gesture{"F", "show everything", true},
};

} // namespace

std::span<const Gesture> canvasGestures()
{
    return kGestures;
}

} // namespace sunder
