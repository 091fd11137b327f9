#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

struct OrderingOptions {
    float share = 1; ///< this part's share of all boxes, and so of the work budget
    /// Previous x per box (NaN: new box), used as the starting order. Empty: none.
    std::vector<float> previousX = {};
};

/// Returns the contribution of a segment to the weight of a chain: the cube of its arc's weight, so that a few heavy arcs
/// outweigh many light ones. It is counted only at the end of an arc, so that a lane counts once.
inline double chainGain(const Layering& layering, const Segment& segment)
{
    const double weight = segment.weight;
    return layering.isDummy(segment.lower) ? 0 : weight * weight * weight;
}

/// Returns the weight of the heaviest chain of arcs from each vertex, by chainGain.
std::vector<double> tailWeights(const Layering& layering);

/// Orders the vertices of every rank so that few segments cross.
///
/// Starts from a depth-first search that follows the heaviest chains first, with long edges at the left (chips are at the right).
/// Then sweeps down and up by barycenters, exchanges neighbors, sifts, and keeps the best order. The work is bounded by a
/// constant plus a multiple of the segments. Fails only when canceled.
Result<void> orderRanks(Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor);

} // namespace sunder::layered
