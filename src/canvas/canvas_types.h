#pragma once

#include <QMetaType>

#include <cstddef>
#include <cstdint>

namespace sunder {

/// The tools of a canvas: functions of the left mouse button.
enum class ToolKind : std::uint8_t {
    select,
    brush,     ///< assigns the active tag
    eraser,    ///< removes tags
    rectangle, ///< assigns the active tag to all nodes in a rectangle
    lasso,     ///< the same in a freehand line
    fill,      ///< assigns the active tag to a scope around the clicked item
    wand,      ///< the same for connected, similar items
    eyedropper, ///< makes the tag under the mouse the active one
    pan,
};
constexpr std::size_t kToolCount = static_cast<std::size_t>(ToolKind::pan) + 1;

/// How requested nodes change the selection.
enum class SelectionMode : std::uint8_t { replace, add, toggle };

/// How a stroke changes its nodes.
enum class StrokeKind : std::uint8_t { paint, erase };

} // namespace sunder

Q_DECLARE_METATYPE(sunder::SelectionMode)
Q_DECLARE_METATYPE(sunder::StrokeKind)
Q_DECLARE_METATYPE(sunder::ToolKind)
