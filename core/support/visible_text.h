#pragma once

#include <string>
#include <string_view>

namespace sunder {

enum class Lines : bool {
    escape, ///< the text is one line: line ends are written as \n
    keep,   ///< the text may have line ends and tabs
};

/// Returns text from a file in a form that is safe to show on a terminal, in a log, a label or a picture: it cannot move the
/// cursor, change colors, or hide or reorder adjacent text. Escapes controls, invalid UTF-8, and invisible Unicode characters
/// that affect others (directions, joiners, line and paragraph ends, tags), in Python notation: \n, \x1b, \u202e, \U000e0041.
/// Printable characters, including backslashes, are unchanged, so the function is idempotent. The result is always valid UTF-8.
/// O(length); text with nothing to escape is copied.
std::string visibleText(std::string_view text, Lines lines = Lines::escape);

/// Returns whether visibleText() would leave the text unchanged.
bool isVisible(std::string_view text, Lines lines = Lines::escape);

} // namespace sunder
