#include "canvas/gestures.h"

#include "canvas/wheel.h"

#include <array>

namespace sunder {
namespace {

constexpr std::array kGestures{
    Gesture{"Wheel", "zoom at the cursor", true},
    Gesture{"Ctrl+wheel", "zoom at the cursor, however the wheel is set", false},
    Gesture{"Shift+wheel", "move sideways", false},
    Gesture{"Pinch", "zoom on a trackpad", false},
    Gesture{"+, −", "zoom in and out", false, "+ - ="},
    Gesture{"Drag", "move the picture", true},
    Gesture{"Middle button, Space", "hold and drag to move the picture with any tool", false},
    Gesture{"Double-click, Enter", "open or close", true},
    Gesture{"Alt+double-click, Alt+Enter", "open with all inside", false},
    Gesture{"Backspace", "go up", true},
    Gesture{"Click", "select an op or a module", false},
    Gesture{"Click on an edge", "select it: what flows there, from where to where", false},
    Gesture{"Double-click on an edge", "go to its other end", false},
    Gesture{"Full stop, comma", "next and previous edge of the item; Enter goes along it", false, ". ,"},
    Gesture{"Shift+drag", "select a rectangle", true},
    Gesture{"Ctrl+click", "add to the selection", true},
    Gesture{"Arrows", "walk along the graph", true},
    Gesture{"Shift+arrows", "walk and add to the selection", false},
    Gesture{"Home, End", "go to the first and the last item", false},
    Gesture{"J", "next marked item", true, "J"},
    Gesture{"Shift+J", "marked item before", false, "Shift+J"},
    Gesture{"Enter, Space", "with fill, wand or eyedropper: use it on the item; Space with every painting tool", false},
    Gesture{"S, Shift+S", "next and previous scope of the fill", false, "S Shift+S"},
    Gesture{"[, ]", "thinner and thicker brush, narrower and wider fill", false},
    Gesture{"Drag from an edge", "with the brush: paint what it joins, and what the edges join that one goes along", false},
    Gesture{"Alt+click", "with the brush: take the tag under it; Alt+drag of rectangle and lasso erases", false},
    Gesture{"Drag to the border", "with a stroke: the picture moves on; what was never in view is not painted", false},
    Gesture{"Escape", "clear the selection, stop a stroke", false},
    Gesture{"F", "show everything", true},
};

constexpr auto kGesturesOfAWheelThatMoves = [] {
    auto gestures = kGestures;
    gestures[0] = {"Wheel", "move up and down", true};
    gestures[1] = {"Ctrl+wheel", "zoom at the cursor", true};
    return gestures;
}();

} // namespace

std::span<const Gesture> canvasGestures()
{
    return Wheel::moves() ? std::span<const Gesture>(kGesturesOfAWheelThatMoves) : kGestures;
}

} // namespace sunder
