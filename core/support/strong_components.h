#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sunder {

/// The strongly connected components of a directed graph.
struct StrongComponents {
    std::vector<std::uint32_t> of;   ///< per node
    std::vector<std::uint32_t> size; ///< per component; a component comes before those that lead to it
};

/// Finds the components of the nodes 0 … count - 1 (Tarjan 1972). `next(node)` returns a range with indices: the nodes that edges
/// lead to. Not recursive, since a path may have all nodes. O(nodes + edges).
template <typename Next>
StrongComponents strongComponents(std::uint32_t count, const Next& next)
{
    constexpr std::uint32_t kNone = 0xffffffffU;
    StrongComponents found{std::vector<std::uint32_t>(count, kNone), {}};
    std::vector<std::uint32_t> number(count, kNone); // in the order of visits
    std::vector<std::uint32_t> low(count, 0); // the smallest number reached
    std::vector<std::uint32_t> open; // visited, and not in a component yet
    std::vector<std::pair<std::uint32_t, std::size_t>> path; // with the index of the next edge
    std::uint32_t visits = 0;
    const auto enter = [&](std::uint32_t node) {
        number[node] = low[node] = visits++;
        open.push_back(node);
        path.emplace_back(node, 0U);
    };
    for (std::uint32_t start = 0; start < count; ++start) {
        if (number[start] == kNone)
            enter(start);
        while (!path.empty()) {
            auto& [node, edge] = path.back();
            if (edge < next(node).size()) {
                const auto to = static_cast<std::uint32_t>(next(node)[edge++]);
                if (number[to] == kNone)
                    enter(to);
                else if (found.of[to] == kNone)
                    low[node] = std::min(low[node], number[to]);
                continue;
            }
            const std::uint32_t left = node;
            path.pop_back();
            if (!path.empty())
                low[path.back().first] = std::min(low[path.back().first], low[left]);
            if (low[left] != number[left])
                continue;
            std::uint32_t size = 0;
            for (std::uint32_t member = kNone; member != left; ++size) {
                member = open.back();
                open.pop_back();
                found.of[member] = static_cast<std::uint32_t>(found.size.size());
            }
            found.size.push_back(size);
        }
    }
    return found;
}

} // namespace sunder
