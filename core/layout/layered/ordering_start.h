#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Places vertices in the order in which a depth-first search meets them that follows the heaviest tail first (ties
/// by index): the heaviest chain comes outermost at the right, lanes that leave it nest at its left.
void orderBySearch(Layering& layering, const std::vector<double>& tail);

/// The same without regard to the direction of segments, so that what hangs together comes side by side: a tree is
/// drawn without crossings.
void orderBySearchBothWays(Layering& layering, const std::vector<double>& tail);

/// An arbitrary order of each rank, the same for the same seed.
void orderAtRandom(Layering& layering, std::uint64_t seed);

/// Lanes, those that start last next to the boxes, then boxes in order of execution.
void orderByIndex(Layering& layering);

/// Vertices by former x of boxes; those that are new, and dummies, stand where their neighbours are.
void orderByPreviousX(Layering& layering, const std::vector<float>& previousX);

} // namespace sunder::layered
