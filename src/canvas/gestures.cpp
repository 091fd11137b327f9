#include "canvas/gestures.h"

#include <QKeyEvent>
#include <QSettings>
#include <algorithm>
#include <array>
#include <iterator>

namespace sunder {

std::optional<KeyCommand> keyCommand(const QKeyEvent& event)
{
    const bool withAlt = event.modifiers().testFlag(Qt::AltModifier);
    const bool withShift = event.modifiers().testFlag(Qt::ShiftModifier);
    switch (event.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter: return withAlt ? KeyCommand::activateAll : KeyCommand::activate;
    case Qt::Key_Backspace: return KeyCommand::goUp;
    case Qt::Key_Escape: return KeyCommand::escape;
    case Qt::Key_J:
        if ((event.modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
            return std::nullopt; // shortcuts of the window
        return withShift ? KeyCommand::previousRinged : KeyCommand::nextRinged;
    case Qt::Key_Period:
    case Qt::Key_Comma:
        if (event.modifiers() != Qt::NoModifier)
            return std::nullopt;
        return event.key() == Qt::Key_Period ? KeyCommand::nextEdge : KeyCommand::previousEdge;
    case Qt::Key_S:
        if ((event.modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
            return std::nullopt;
        return withShift ? KeyCommand::previousScope : KeyCommand::nextScope;
    case Qt::Key_BracketLeft: return KeyCommand::narrower;
    case Qt::Key_BracketRight: return KeyCommand::wider;
    default: return std::nullopt;
    }
}

std::optional<WalkDirection> walkDirection(const QKeyEvent& event, FlowDirection flow)
{
    const bool isRight = flow == FlowDirection::right;
    switch (event.key()) {
    case Qt::Key_Up: return isRight ? WalkDirection::before : WalkDirection::producer;
    case Qt::Key_Down: return isRight ? WalkDirection::behind : WalkDirection::consumer;
    case Qt::Key_Left: return isRight ? WalkDirection::producer : WalkDirection::before;
    case Qt::Key_Right: return isRight ? WalkDirection::consumer : WalkDirection::behind;
    case Qt::Key_Home: return WalkDirection::first;
    case Qt::Key_End: return WalkDirection::last;
    default: return std::nullopt;
    }
}

std::optional<SelectionMode> walkSelection(const QKeyEvent& event)
{
    if (event.modifiers().testFlag(Qt::ControlModifier))
        return std::nullopt;
    return event.modifiers().testFlag(Qt::ShiftModifier) ? SelectionMode::add : SelectionMode::replace;
}

namespace {
constexpr const char* kWheelKey = "wheelMoves";
} // namespace

bool Wheel::moves()
{
    return QSettings().value(QLatin1String(kWheelKey)).toBool();
}

void Wheel::setMoves(bool moves)
{
    QSettings().setValue(QLatin1String(kWheelKey), moves);
}

namespace {

constexpr std::array kGestures{
    Gesture{"Wheel", "zoom at the cursor", true},
    Gesture{"Ctrl+wheel", "zoom at the cursor, with any wheel setting", false},
    Gesture{"Shift+wheel", "pan sideways", false},
    Gesture{"Pinch", "zoom on a trackpad", false},
    Gesture{"+, −", "zoom in and out", false, "+ - ="},
    Gesture{"Drag", "pan", true},
    Gesture{"Middle button, Space", "hold and drag to pan with any tool", false},
    Gesture{"Double-click, Enter", "open or close", true},
    Gesture{"Alt+double-click, Alt+Enter", "open with all inner modules", false},
    Gesture{"Backspace", "go up", true},
    Gesture{"Click", "select an op or a module", false},
    Gesture{"Click on an edge", "select it and inspect its values, producer, and consumers", false},
    Gesture{"Double-click on an edge", "go to its other end", false},
    Gesture{"Period, comma", "next and previous edge of the item; Enter follows it", false, ". ,"},
    Gesture{"Shift+drag", "select a rectangle", true},
    Gesture{"Ctrl+click", "add to the selection", true},
    Gesture{"Arrows", "walk along the graph", true},
    Gesture{"Shift+arrows", "walk and add to the selection", false},
    Gesture{"Home, End", "go to the first and the last item", false},
    Gesture{"J", "next marked item", true, "J"},
    Gesture{"Shift+J", "previous marked item", false, "Shift+J"},
    Gesture{"Enter, Space", "apply fill, wand, or eyedropper to the item; Space also applies the other painting tools", false},
    Gesture{"S, Shift+S", "next and previous scope of the fill", false, "S Shift+S"},
    Gesture{"[, ]", "thinner and thicker brush, narrower and wider fill", false},
    Gesture{"Drag from an edge", "with the brush: paint both ends of each edge under the stroke", false},
    Gesture{"Alt+click", "with the brush: pick the tag there; Alt+drag erases with rectangle and lasso", false},
    Gesture{"Drag to the view edge", "while painting: scroll; items that never came into view are not painted", false},
    Gesture{"Escape", "clear the selection, cancel a stroke", false},
    Gesture{"F", "show everything", true},
};

constexpr auto kGesturesOfAWheelThatMoves = [] {
    auto gestures = kGestures;
    gestures[0] = {"Wheel", "pan up and down", true};
    gestures[1] = {"Ctrl+wheel", "zoom at the cursor", true};
    return gestures;
}();

constexpr Gesture kChooseATag{"1 … 9, T", "choose the tag", true};
constexpr Gesture kPickATag{"Alt+click", "pick the tag there", true};
constexpr Gesture kGiveUp{"Escape", "cancel the stroke", true};
constexpr Gesture kOnFocus{"Arrows, Space", "walk, apply there", true};
constexpr Gesture kOnTheSelection{"Arrows, Space", "paint the selection", true};
constexpr Gesture kMoveOn{"To the view edge", "scroll", true};

constexpr std::array kBrushGestures{Gesture{"Drag", "paint touched items", true},
                                    Gesture{"Drag from an edge", "paint along edges", true},
                                    Gesture{"[, ]", "thinner, thicker", true},
                                    kMoveOn,
                                    kPickATag,
                                    kChooseATag,
                                    kOnFocus,
                                    kGiveUp};
constexpr std::array kEraserGestures{Gesture{"Drag", "remove tags", true},
                                     Gesture{"Drag from an edge", "along edges", true},
                                     Gesture{"[, ]", "thinner, thicker", true},
                                     kMoveOn,
                                     kOnFocus,
                                     kGiveUp};
constexpr std::array kRectangleGestures{Gesture{"Drag", "paint touched items", true},
                                        Gesture{"Alt+drag", "remove tags", true},
                                        kMoveOn,
                                        kChooseATag,
                                        kOnTheSelection,
                                        kGiveUp};
constexpr std::array kLassoGestures{Gesture{"Drag a line", "paint enclosed items", true},
                                    Gesture{"Alt+drag", "remove tags", true},
                                    kMoveOn,
                                    kChooseATag,
                                    kOnTheSelection,
                                    kGiveUp};
constexpr std::array kFillGestures{Gesture{"Point", "preview the fill", true},
                                   Gesture{"Click", "fill with the tag", true},
                                   Gesture{"S, Shift+S", "change the scope", true},
                                   Gesture{"[, ]", "narrower, wider", true},
                                   kChooseATag,
                                   Gesture{"Arrows, Enter", "walk, fill", true},
                                   Gesture{"Escape", "clear the pick", true}};
constexpr std::array kWandGestures{Gesture{"Point", "preview the ops", true},     Gesture{"Click", "tag the ops", true},
                                   Gesture{"[, ]", "narrower, wider", true},      kChooseATag,
                                   Gesture{"Arrows, Enter", "walk, paint", true}, Gesture{"Escape", "clear the pick", true}};
constexpr std::array kEyedropperGestures{Gesture{"Click", "make its tag active", true},
                                         Gesture{"Arrows, Enter", "walk, pick the tag", true}};

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
