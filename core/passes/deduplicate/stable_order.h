#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// torch's stable topological sort. Items keep the given order, except that an item with unplaced needs waits for the last of
/// them. Once that one is placed, the items waiting for it continue immediately, in the order in which they began to wait. `last`
/// (an output) always comes last, regardless of its needs. Returns nothing if items wait for each other or for something that is
/// no item. `needsOf(item)` returns a span of items; items are less than `bound`. O(items + needs).
template <typename NeedsOf>
std::optional<std::vector<std::uint32_t>> stableOrder(std::span<const std::uint32_t> items, std::uint32_t bound,
                                                      std::uint32_t last, const NeedsOf& needsOf)
{
    constexpr std::uint32_t kNone = 0xffffffffU;
    constexpr std::uint32_t kFresh = kNone;
    std::vector<std::uint32_t> order;
    order.reserve(items.size());
    std::vector<std::uint32_t> open(bound, kFresh); ///< number of leading needs not known to be placed
    std::vector<char> isPlaced(bound, 0);
    std::vector<std::uint32_t> firstWaiting(bound, kNone);
    std::vector<std::uint32_t> lastWaiting(bound, kNone);
    std::vector<std::uint32_t> nextWaiting(bound, kNone);
    std::vector<std::uint32_t> pending(items.rbegin(), items.rend());
    std::vector<std::uint32_t> resumed;
    while (!pending.empty()) {
        const std::uint32_t item = pending.back();
        pending.pop_back();
        if (item == last)
            continue;
        const std::span<const std::uint32_t> needs = needsOf(item);
        if (open[item] == kFresh)
            open[item] = static_cast<std::uint32_t>(needs.size());
        while (open[item] > 0 && isPlaced[needs[open[item] - 1]] != 0)
            --open[item];
        if (open[item] > 0) {
            const std::uint32_t need = needs[open[item] - 1];
            (firstWaiting[need] == kNone ? firstWaiting[need] : nextWaiting[lastWaiting[need]]) = item;
            lastWaiting[need] = item;
            nextWaiting[item] = kNone;
            continue;
        }
        isPlaced[item] = 1;
        order.push_back(item);
        resumed.clear();
        for (std::uint32_t at = firstWaiting[item]; at != kNone; at = nextWaiting[at])
            resumed.push_back(at);
        pending.insert(pending.end(), resumed.rbegin(), resumed.rend());
    }
    if (last != kNone)
        order.push_back(last);
    if (order.size() != items.size())
        return std::nullopt;
    return order;
}

} // namespace sunder
