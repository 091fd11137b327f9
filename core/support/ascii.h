#pragma once

#include <string_view>

namespace sunder {

// ASCII letters and digits, independent of the locale.

constexpr bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// True for a non-empty sequence of digits, e.g. the "12" of "layers.12".
constexpr bool isAsciiNumber(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// True for a letter of an identifier, including the underscore.
constexpr bool isAsciiLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace sunder
