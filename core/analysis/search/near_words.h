#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns at most `most` words in `known` similar to `word`, most similar first: those that begin with it, contain it, or differ
/// in at most a third of the letters. Ignores case. O(known × length²).
std::vector<std::string> nearWords(std::string_view word, std::span<const std::string> known, std::size_t most);

} // namespace sunder
