#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Orders vertices by a depth-first search that follows the heaviest tail first (ties by index). Among the vertices that the
/// heaviest source reaches, the heaviest chain is rightmost, and its lanes are nested to its left.
void orderBySearch(Layering& layering, const std::vector<double>& tail);

/// The same, ignoring the direction of segments, so that connected vertices are side by side: a tree is drawn without crossings.
void orderBySearchBothWays(Layering& layering, const std::vector<double>& tail);

/// Orders each rank randomly; reproducible for the same seed.
void orderAtRandom(Layering& layering, std::uint64_t seed);

/// Places lanes first, those that start last closest to the boxes, then boxes in execution order.
void orderByIndex(Layering& layering);

/// Orders vertices by the previous x of boxes. New boxes and dummies are placed by their neighbors.
void orderByPreviousX(Layering& layering, const std::vector<float>& previousX);

} // namespace sunder::layered
