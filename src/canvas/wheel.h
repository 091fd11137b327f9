#pragma once

namespace sunder {

/// What turning the wheel of a mouse does in every view: it zooms at the cursor, or moves the picture, and zooms with Ctrl. What a
/// person wants, in this session and the next. Trackpads move in either case.
class Wheel final {
public:
    [[nodiscard]] static bool moves();
    static void setMoves(bool moves);
};

} // namespace sunder
