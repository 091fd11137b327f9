#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sunder {

/// The eight base colours of tags as files write them: those of the light look. Pictures in the dark look show its counterparts.
/// Any two, and any one and red, stay ΔE2000 ≥ 12 apart for simulated protanopia, deuteranopia and tritanopia too.
inline constexpr std::array<std::string_view, 8> kTagPalette = {"#2d3fc0", "#1a7d56", "#f14c78", "#9b9500",
                                                                "#8c5dec", "#2ba087", "#a40f68", "#b57eb5"};

/// Which of them a colour in a file is; none where it is a colour of a tag's own.
constexpr std::optional<std::uint32_t> hueOfColor(std::string_view color)
{
    const auto* const found = std::find(kTagPalette.begin(), kTagPalette.end(), color);
    return found == kTagPalette.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - kTagPalette.begin()));
}

} // namespace sunder
