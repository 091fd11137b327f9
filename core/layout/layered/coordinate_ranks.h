#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

#include <span>

namespace sunder::layered {

/// A vertex' neighbours keep away from its middle.
struct Extents {
    double left = 0;
    double right = 0; ///< with half of the gap to the next on either side
};

/// x of every vertex for which edges are short, nothing else: rank by rank the best places next to the ranks above and below
/// (isotonic regression by pooling adjacent violators), up and down in turns. Squares of lengths first, then, reweighted,
/// lengths. Vertices of `fixed` lie at 0. O(segments) a sweep, a bounded number of sweeps. Empty when cancelled.
std::vector<double> placeRankByRank(const Layering& layering, std::span<const Extents> extents, const std::vector<bool>& fixed,
                                    ProgressMonitor& monitor);

} // namespace sunder::layered
