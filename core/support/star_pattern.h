#pragma once

#include <algorithm>
#include <functional>
#include <string_view>

namespace sunder {

/// Whether all of `text` is as `pattern` says, in which each * stands for any characters or none; `same` tells whether a letter of
/// the pattern is one of the text. Greedy with one way back: O(pattern × text) at the worst, and no memory.
template <typename Same = std::equal_to<>>
bool fitsStars(std::string_view pattern, std::string_view text, Same same = {})
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

} // namespace sunder
