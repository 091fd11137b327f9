#pragma once

#include <string>
#include <string_view>

namespace sunder {

enum class Lines : bool {
    escape, ///< the text is one line: its ends of line are written as \n
    keep,   ///< the text has lines of its own, and tabs
};

/// Text that comes out of a file, as it may be shown on a terminal, in a log, a label or a picture: nothing in it moves
/// the cursor, changes colours, hides or turns round what stands beside it. Controls, bytes that are no UTF-8, and the
/// characters of Unicode that have no shape of their own but change that of others (directions, joiners, ends of line and
/// paragraph, tags) are written as in Python: \n, \x1b, \u202e, \U000e0041. What is printable stays, a backslash too, so
/// that the result of the result is the same. Always valid UTF-8. O(length); texts with nothing to escape are copied.
std::string visibleText(std::string_view text, Lines lines = Lines::escape);

/// The text holds nothing that visibleText() would write in another way.
bool isVisible(std::string_view text, Lines lines = Lines::escape);

} // namespace sunder
