#pragma once

#include <string>
#include <string_view>

namespace sunder {

/// Quotes a text as one word of a POSIX shell; unchanged if it has no special characters. O(length).
std::string shellWord(std::string_view text);

/// Returns a here-document that provides the text as `/dev/fd/NUMBER`. Append it to the command; each here-document starts on a
/// new line. No line of the text can end it early. O(length).
std::string shellInput(int number, std::string_view text);

} // namespace sunder
