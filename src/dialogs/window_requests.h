#pragma once

#include "canvas/motion.h"

namespace sunder {

/// Color scheme of the window: that of the desktop, light, or dark.
enum class LookWish : std::uint8_t {
    system,
    light,
    dark,
};

/// Preferences shown by the settings dialog.
struct WindowWishes {
    LookWish look = LookWish::system;
    Motion::Wish motion = Motion::Wish::system;
    bool wheelMoves = false; ///< otherwise the wheel zooms
    bool oneColumn = false;  ///< otherwise as many as fit
    bool toTheRight = false; ///< otherwise edges lead down
    bool reopens = true;     ///< reopen the last session at start

    friend bool operator==(const WindowWishes&, const WindowWishes&) = default;
};

} // namespace sunder
