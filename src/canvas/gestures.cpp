#include "canvas/gestures.h"

#include "canvas/wheel.h"

#include <algorithm>
#include <array>
#include <iterator>

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

constexpr Gesture kChooseATag{"1 … 9, T", "choose the tag", true};
constexpr Gesture kPickATag{"Alt+click", "take the tag under it", true};
constexpr Gesture kGiveUp{"Escape", "give the stroke up", true};
constexpr Gesture kOnFocus{"Arrows, Space", "walk, use it there", true};
constexpr Gesture kOnTheSelection{"Arrows, Space", "paint the selection", true};
constexpr Gesture kMoveOn{"To the border", "the picture moves on", true};

constexpr std::array kBrushGestures{Gesture{"Drag", "paint what it touches", true},
                                    Gesture{"Drag from an edge", "paint along edges", true},
                                    Gesture{"[, ]", "thinner, thicker", true},
                                    kMoveOn,
                                    kPickATag,
                                    kChooseATag,
                                    kOnFocus,
                                    kGiveUp};
constexpr std::array kEraserGestures{Gesture{"Drag", "take tags away", true},
                                     Gesture{"Drag from an edge", "along edges", true},
                                     Gesture{"[, ]", "thinner, thicker", true},
                                     kMoveOn,
                                     kOnFocus,
                                     kGiveUp};
constexpr std::array kRectangleGestures{Gesture{"Drag", "paint what it touches", true},
                                        Gesture{"Alt+drag", "take their tags away", true},
                                        kMoveOn,
                                        kChooseATag,
                                        kOnTheSelection,
                                        kGiveUp};
constexpr std::array kLassoGestures{Gesture{"Drag a line", "paint what it encloses", true},
                                    Gesture{"Alt+drag", "take their tags away", true},
                                    kMoveOn,
                                    kChooseATag,
                                    kOnTheSelection,
                                    kGiveUp};
constexpr std::array kFillGestures{Gesture{"Point", "shows what it takes", true},
                                   Gesture{"Click", "fill that with the tag", true},
                                   Gesture{"S, Shift+S", "take by other rules", true},
                                   Gesture{"[, ]", "take less, take more", true},
                                   kChooseATag,
                                   Gesture{"Arrows, Enter", "walk, fill", true},
                                   Gesture{"Escape", "forget what was picked", true}};
constexpr std::array kWandGestures{
    Gesture{"Point", "shows what it takes", true}, Gesture{"Click", "give it the tag", true},
    Gesture{"[, ]", "take less, take more", true}, kChooseATag,
    Gesture{"Arrows, Enter", "walk, paint", true}, Gesture{"Escape", "forget what was picked", true}};
constexpr std::array kEyedropperGestures{Gesture{"Click", "paint with its tag", true},
                                         Gesture{"Arrows, Enter", "walk, take its tag", true}};

std::span<const Gesture> ownGestures(ToolKind tool)
{
    switch (tool) {
    case ToolKind::brush: return kBrushGestures;
    case ToolKind::eraser: return kEraserGestures;
    case ToolKind::rectangle: return kRectangleGestures;
    case ToolKind::lasso: return kLassoGestures;
    case ToolKind::fill: return kFillGestures;
    case ToolKind::wand: return kWandGestures;
    case ToolKind::eyedropper: return kEyedropperGestures;
    case ToolKind::select:
    case ToolKind::pan: break;
    }
    return {};
}

} // namespace

std::vector<Gesture> legendOf(ToolKind tool)
{
    const std::span<const Gesture> own = ownGestures(tool);
    if (!own.empty())
        return {own.begin(), own.end()};
    std::vector<Gesture> first;
    std::ranges::copy_if(canvasGestures(), std::back_inserter(first), &Gesture::isInLegend);
    return first;
}

std::span<const Gesture> canvasGestures()
{
    return Wheel::moves() ? std::span<const Gesture>(kGesturesOfAWheelThatMoves) : kGestures;
}

} // namespace sunder
