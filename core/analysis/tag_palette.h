#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// The eight base colors of tags as written to files: those of the light theme. The dark theme shows a counterpart of each. Any
/// two of them, and any one and red, differ by ΔE2000 ≥ 12, including under simulated protanopia, deuteranopia and tritanopia.
inline constexpr std::array<std::string_view, 8> kTagPalette = {"#2d3fc0", "#1a7d56", "#f14c78", "#9b9500",
                                                                "#8c5dec", "#2ba087", "#a40f68", "#b57eb5"};

/// Returns the palette index of a color; nothing for a custom color.
constexpr std::optional<std::uint32_t> hueOfColor(std::string_view color)
{
    const auto* const found = std::find(kTagPalette.begin(), kTagPalette.end(), color);
    return found == kTagPalette.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(found - kTagPalette.begin()));
}

/// Returns whether the text has the form "#rrggbb", the only one in files of tags and projects.
bool isHexColor(std::string_view text);

/// Returns "#rrggbb", in lower case, for this form or for the name of a color in SVG ("red"), which models may use; nothing for other
/// texts.
std::optional<std::string> hexColor(std::string_view text);

} // namespace sunder
