#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

#include <span>

namespace sunder::layered {

/// The space that a vertex needs on both sides of its center.
struct Extents {
    double left = 0;
    double right = 0; ///< each includes half of the gap to the neighbor
};

/// Returns x of every vertex such that edges are short, without straightening. Each rank is placed optimally relative to its
/// neighboring ranks (isotonic regression by pooling adjacent violators), in alternating downward and upward sweeps. The first
/// sweeps minimize squared lengths, the later ones lengths, by reweighting. Vertices of `fixed` are at 0. O(segments) per sweep,
/// with a bounded number of sweeps. Empty when cancelled.
std::vector<double> placeRankByRank(const Layering& layering, std::span<const Extents> extents, const std::vector<bool>& fixed,
                                    ProgressMonitor& monitor);

} // namespace sunder::layered
