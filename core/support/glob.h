#pragma once

#include <algorithm>
#include <functional>
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

} // namespace sunder
