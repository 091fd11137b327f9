#pragma once

#include <string_view>

namespace sunder {

// Letters and digits as file formats mean them, whatever the locale.

constexpr bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Digits and nothing else, one at least: "12" of "layers.12".
constexpr bool isAsciiNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A letter of an identifier: the underscore counts.
constexpr bool isAsciiLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace sunder
