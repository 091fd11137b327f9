#pragma once

#include "canvas/canvas_types.h"
#include "layout/picture/picture_walk.h"

#include <optional>
#include <span>
#include <vector>

class QKeyEvent;

namespace sunder {

/// Keyboard commands of a canvas, except moving the view and walking between items.
enum class KeyCommand : std::uint8_t {
    activate,    ///< opens, closes, or navigates to the current item
    activateAll, ///< the same including everything inside
    goUp,
    escape,
    nextRinged,
    previousRinged,
    nextEdge,     ///< selects the next edge of the current item
    previousEdge,
    narrower, ///< a thinner brush, or a smaller module to fill
    wider,
    nextScope, ///< of a fill
    previousScope,
};

std::optional<KeyCommand> keyCommand(const QKeyEvent& event);

/// Returns the direction of an arrow key, Home, or End in a picture with edges in direction `flow`.
std::optional<WalkDirection> walkDirection(const QKeyEvent& event, FlowDirection flow);
/// Returns how walking changes the selection; nothing (with Ctrl): not at all.
std::optional<SelectionMode> walkSelection(const QKeyEvent& event);

/// The function of the mouse wheel in every view: it zooms at the cursor, or it scrolls and zooms with Ctrl. Kept for the next
/// session. Trackpads scroll in either case.
class Wheel final {
public:
    [[nodiscard]] static bool moves();
    static void setMoves(bool moves);
};

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
