#pragma once

namespace sunder {

// Letters and digits as file formats mean them, whatever the locale.

constexpr bool isAsciiDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// A letter of an identifier: the underscore counts.
constexpr bool isAsciiLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace sunder
