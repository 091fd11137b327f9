#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sunder {

// Disjoint sets of the numbers below the size of `parents`: a set is a tree, and its root is its own parent (union-find).

/// Returns the root of the set of a number. Halves the path to it, so that a look-up takes O(log n), amortized.
inline std::uint32_t rootOf(std::vector<std::uint32_t>& parents, std::uint32_t number)
{
    while (parents[number] != number) {
        parents[number] = parents[parents[number]];
        number = parents[number];
    }
    return number;
}

/// Joins the sets of two numbers, so that the root of every set is its smallest number.
inline void joinSets(std::vector<std::uint32_t>& parents, std::uint32_t a, std::uint32_t b)
{
    a = rootOf(parents, a);
    b = rootOf(parents, b);
    parents[std::max(a, b)] = std::min(a, b);
}

} // namespace sunder
