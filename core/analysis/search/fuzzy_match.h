#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns at most `most` words in `known` similar to `word`, most similar first: those that begin with it, contain it, or differ
/// in at most a third of the letters. Ignores case. O(known × length²).
std::vector<std::string> nearWords(std::string_view word, std::span<const std::string> known, std::size_t most);

/// Scores `typed` as an abbreviation of `text`: all of its letters must occur in this order; spaces and case are ignored. Letters
/// at word starts and adjacent letters score highest, and short texts score higher than long ones. Returns nothing if a letter is
/// missing; 0 for an empty `typed`. O(text).
std::optional<int> fuzzyMatch(std::string_view typed, std::string_view text);

} // namespace sunder
