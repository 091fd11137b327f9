#pragma once

#include "canvas/canvas_types.h"
#include "layout/picture/picture_walk.h"

#include <optional>

class QKeyEvent;

namespace sunder {

/// What a key does in a canvas, besides moving the view and walking from item to item.
enum class KeyCommand : std::uint8_t {
    activate,    ///< opens, closes or goes to the current item
    activateAll, ///< the same with all that is inside
    goUp,
    escape,
    nextRinged,
    previousRinged,
    nextEdge,     ///< selects the next edge of the current item
    previousEdge,
    narrower, ///< a thinner brush, a smaller module to fill
    wider,
    nextScope, ///< of a fill
    previousScope,
};

std::optional<KeyCommand> keyCommand(const QKeyEvent& event);

/// Where an arrow key, Home or End walks in a picture whose edges flow there.
std::optional<WalkDirection> walkDirection(const QKeyEvent& event, FlowDirection flow);
/// What becomes of the selection where the walk ends; nothing: it stays as it is, with Ctrl.
std::optional<SelectionMode> walkSelection(const QKeyEvent& event);

} // namespace sunder
