#pragma once

#include <cstdint>
#include <vector>

namespace sunder {

/// A filtered tree of entries: matches, their ancestors and, on request, their descendants.
struct TreeFilter {
    std::vector<std::vector<std::int32_t>> children; ///< visible children per entry; empty: no filter
    std::vector<std::int32_t> rows; ///< per entry: its row among these; −1: hidden
    std::vector<char> isMatch; ///< per entry
    int matchCount = 0;

    [[nodiscard]] bool isOn() const { return !rows.empty(); }
    [[nodiscard]] bool isShown(std::int32_t entry) const { return !isOn() || rows[static_cast<std::size_t>(entry)] >= 0; }
};

/// Whether descendants of a match are shown.
enum class WithinMatches : std::uint8_t { hidden, shown };

/// Filters a tree. Entries have `parent` (−1 for the root, which is first and always shown) and `children`. Calls `matches` for
/// each entry; otherwise O(entries).
template <typename Entry, typename Matches>
TreeFilter filteredTree(const std::vector<Entry>& entries, WithinMatches within, const Matches& matches)
{
    TreeFilter filter{std::vector<std::vector<std::int32_t>>(entries.size()), std::vector<std::int32_t>(entries.size(), -1),
                      std::vector<char>(entries.size(), 0)};
    std::vector<char> isKept(entries.size(), 0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        filter.isMatch[i] = matches(static_cast<std::int32_t>(i)) ? 1 : 0;
        filter.matchCount += filter.isMatch[i];
        for (auto at = static_cast<std::int32_t>(i);
             filter.isMatch[i] != 0 && at >= 0 && isKept[static_cast<std::size_t>(at)] == 0;
             at = entries[static_cast<std::size_t>(at)].parent)
            isKept[static_cast<std::size_t>(at)] = 1;
    }
    std::vector<std::int32_t> open;
    if (!entries.empty()) {
        filter.rows[0] = 0;
        open.push_back(0);
    }
    std::vector<char> isWithin(entries.size(), 0);
    while (!open.empty()) {
        const auto parent = static_cast<std::size_t>(open.back());
        open.pop_back();
        const bool takesAll = within == WithinMatches::shown && (isWithin[parent] != 0 || filter.isMatch[parent] != 0);
        for (const std::int32_t child : entries[parent].children) {
            const auto at = static_cast<std::size_t>(child);
            if (!takesAll && isKept[at] == 0)
                continue;
            isWithin[at] = takesAll ? 1 : 0;
            filter.rows[at] = static_cast<std::int32_t>(filter.children[parent].size());
            filter.children[parent].push_back(child);
            open.push_back(child);
        }
    }
    return filter;
}

} // namespace sunder
