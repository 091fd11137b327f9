#pragma once

#include "layout/layered/layered_lanes.h"

namespace sunder::layered {

/// Places vertices in the order in which a depth-first search meets them that follows the heaviest tail first (ties
/// by index): the heaviest chain comes outermost, lanes that leave it nest beside it. With `lanesLeft` everything is
/// mirrored but for the order of equals.
void orderBySearch(Layering& layering, const std::vector<double>& tail, bool lanesLeft);

/// The same without regard to the direction of segments, so that what hangs together comes side by side: a tree is
/// drawn without crossings.
void orderBySearchBothWays(Layering& layering, const std::vector<double>& tail, bool lanesLeft);

/// An arbitrary order of each rank, the same for the same seed.
void orderAtRandom(Layering& layering, std::uint64_t seed);

/// Boxes in order of execution, then lanes (or before them), those that start last next to the boxes.
void orderByIndex(Layering& layering, bool lanesLeft);

/// Vertices by former x of boxes; those that are new, and dummies, stand where their neighbours are.
void orderByPreviousX(Layering& layering, const std::vector<float>& previousX);

} // namespace sunder::layered
