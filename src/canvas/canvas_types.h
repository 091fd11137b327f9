#pragma once

#include <QMetaType>

#include <cstdint>

namespace sunder {

/// What the left mouse button does in a canvas.
enum class ToolKind : std::uint8_t {
    select,
    brush,     ///< gives nodes the active tag
    eraser,    ///< takes tags away
    rectangle, ///< gives all nodes in a rectangle the active tag
    pan,
};

/// What becomes of the selection when nodes are asked for.
enum class SelectionMode : std::uint8_t { replace, add, toggle };

/// What a stroke does to the nodes it takes.
enum class StrokeKind : std::uint8_t { paint, erase };

} // namespace sunder

Q_DECLARE_METATYPE(sunder::SelectionMode)
Q_DECLARE_METATYPE(sunder::StrokeKind)
