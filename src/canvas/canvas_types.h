#pragma once

#include <QMetaType>

#include <cstddef>
#include <cstdint>

namespace sunder {

/// What the left mouse button does in a canvas.
enum class ToolKind : std::uint8_t {
    select,
    brush,     ///< gives nodes the active tag
    eraser,    ///< takes tags away
    rectangle, ///< gives all nodes in a rectangle the active tag
    lasso,     ///< the same in a line drawn by hand
    fill,      ///< gives the active tag to what a scope takes from where one points
    wand,      ///< the same of what hangs together with it and is like it
    eyedropper, ///< makes the tag under the mouse the active one
    pan,
};
constexpr std::size_t kToolCount = static_cast<std::size_t>(ToolKind::pan) + 1;

/// What becomes of the selection when nodes are asked for.
enum class SelectionMode : std::uint8_t { replace, add, toggle };

/// What a stroke does to the nodes it takes.
enum class StrokeKind : std::uint8_t { paint, erase };

} // namespace sunder

Q_DECLARE_METATYPE(sunder::SelectionMode)
Q_DECLARE_METATYPE(sunder::StrokeKind)
Q_DECLARE_METATYPE(sunder::ToolKind)
