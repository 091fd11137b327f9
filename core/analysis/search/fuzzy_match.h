#pragma once

#include <optional>
#include <string_view>

namespace sunder {

/// How well `typed` stands for `text`: all its letters are in it, in this order; spaces and case are ignored. More is better: letters
/// that begin words, and letters side by side, count most; short texts more than long ones. Nothing when a letter is missing; 0 for an
/// empty `typed`. O(text).
std::optional<int> fuzzyMatch(std::string_view typed, std::string_view text);

} // namespace sunder
