#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Those of `known` that somebody may have meant with `word`, nearest first, at most `most`: they begin with it, contain it,
/// or a third of its letters is wrong. Case is ignored. O(known × length²).
std::vector<std::string> nearWords(std::string_view word, std::span<const std::string> known, std::size_t most);

} // namespace sunder
