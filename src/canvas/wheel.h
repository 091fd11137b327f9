#pragma once

namespace sunder {

/// The function of the mouse wheel in every view: it zooms at the cursor, or it scrolls and zooms with Ctrl. Kept for the next
/// session. Trackpads scroll in either case.
class Wheel final {
public:
    [[nodiscard]] static bool moves();
    static void setMoves(bool moves);
};

} // namespace sunder
