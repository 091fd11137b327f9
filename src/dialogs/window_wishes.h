#pragma once

#include "canvas/motion.h"

namespace sunder {

/// The colours of the window: as the desktop has them, or one of both.
enum class LookWish : std::uint8_t {
    system,
    light,
    dark,
};

/// What a person may want of the window, as the dialog of settings asks for it. A value.
struct WindowWishes {
    LookWish look = LookWish::system;
    Motion::Wish motion = Motion::Wish::system;
    bool wheelMoves = false; ///< it zooms, else
    bool oneColumn = false;  ///< as many as fit, else
    bool toTheRight = false; ///< edges lead down, else
    bool reopens = true;     ///< at start, what was open

    friend bool operator==(const WindowWishes&, const WindowWishes&) = default;
};

} // namespace sunder
