#pragma once

#include <cstdint>

namespace sunder {

/// Whether what changes may glide there in view, or is to be there at once. Whoever moves something asks isReduced() when the
/// movement begins, each time. It is what the person wants, in this session and the next, else what the desktop says.
class Motion final {
public:
    enum class Wish : std::uint8_t {
        system,
        full,
        reduced,
    };

    /// Nothing may glide, fade or bounce. Cheap enough to be asked at every movement, not at every frame.
    [[nodiscard]] static bool isReduced();

    [[nodiscard]] static Wish wish();
    static void setWish(Wish wish);
    /// What the desktop says, as often as it says so; not kept.
    static void setSystemReduced(bool isReduced);
};

} // namespace sunder
