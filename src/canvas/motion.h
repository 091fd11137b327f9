#pragma once

#include <cstdint>

namespace sunder {

/// Whether changes are animated. Check isReduced() at the start of each movement. The user's setting takes precedence over the
/// desktop's and is kept for the next session.
class Motion final {
public:
    enum class Wish : std::uint8_t {
        system,
        full,
        reduced,
    };

    /// Returns whether nothing may glide, fade, or bounce. Cheap enough for every movement, but not for every frame.
    [[nodiscard]] static bool isReduced();

    [[nodiscard]] static Wish wish();
    static void setWish(Wish wish);
    /// Sets the desktop's preference; called whenever it changes, not saved.
    static void setSystemReduced(bool isReduced);
};

} // namespace sunder
