#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

namespace sunder {

/// Returns whether `text` matches a glob pattern, in which * matches any number of characters. `same` compares a character of the
/// pattern with one of the text. Backtracks to the last * only: O(pattern × text) in the worst case, without allocation.
template <typename Same = std::equal_to<>>
bool matchesGlob(std::string_view pattern, std::string_view text, Same same = {})
{
    std::size_t at = 0;
    std::size_t star = std::string_view::npos;
    std::size_t behindStar = 0;
    for (std::size_t i = 0; i < text.size();) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            behindStar = i;
        } else if (at < pattern.size() && same(pattern[at], text[i])) {
            ++at;
            ++i;
        } else if (star != std::string_view::npos) {
            at = star + 1;
            i = ++behindStar;
        } else {
            return false;
        }
    }
    return std::ranges::all_of(pattern.substr(at), [](char c) { return c == '*'; });
}

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

/// Quotes a text as one word of a POSIX shell; unchanged if it has no special characters. O(length).
std::string shellWord(std::string_view text);

/// Returns a here-document that provides the text as `/dev/fd/NUMBER`. Append it to the command; each here-document starts on a
/// new line. No line of the text can end it early. O(length).
std::string shellInput(int number, std::string_view text);

enum class Lines : bool {
    escape, ///< the text is one line: line ends are written as \n
    keep, ///< the text may have line ends and tabs
};

/// Returns text from a file in a form that is safe to show on a terminal, in a log, a label or a picture: it cannot move the
/// cursor, change colors, or hide or reorder adjacent text. Escapes controls, invalid UTF-8, and invisible Unicode characters
/// that affect others (directions, joiners, line and paragraph ends, tags), in Python notation: \n, \x1b, \u202e, \U000e0041.
/// Printable characters, including backslashes, are unchanged, so the function is idempotent. The result is always valid UTF-8.
/// O(length); text with nothing to escape is copied.
std::string visibleText(std::string_view text, Lines lines = Lines::escape);

/// Returns the text after replacing each byte that is not part of valid UTF-8 by U+FFFD. O(length).
std::string validUtf8(std::string_view text);

/// Returns whether visibleText() would leave the text unchanged.
bool isVisible(std::string_view text, Lines lines = Lines::escape);

} // namespace sunder
