#pragma once

#include <cstdint>
#include <vector>

namespace sunder {

/// Weights of pairs: rows × columns, all rows of equal length, no negative ones.
using PairWeights = std::vector<std::vector<std::int64_t>>;

/// Pairs rows with columns, each at most once, so that the sum of the weights is the largest possible. Returns the column per row;
/// −1: none. Pairs of weight 0 are left out. O(rows × columns × the smaller of them), by shortest augmenting paths (Kuhn 1955, Jonker
/// and Volgenant 1987).
std::vector<std::int32_t> heaviestPairing(const PairWeights& weights);

} // namespace sunder
