#pragma once

#include <optional>
#include <string_view>

namespace sunder {

/// Scores `typed` as an abbreviation of `text`: all of its letters must occur in this order; spaces and case are ignored. Letters
/// at word starts and adjacent letters score highest, and short texts score higher than long ones. Returns nothing if a letter is
/// missing; 0 for an empty `typed`. O(text).
std::optional<int> fuzzyMatch(std::string_view typed, std::string_view text);

} // namespace sunder
