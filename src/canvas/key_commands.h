#pragma once

#include "canvas/canvas_types.h"
#include "layout/picture/picture_walk.h"

#include <optional>

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

} // namespace sunder
