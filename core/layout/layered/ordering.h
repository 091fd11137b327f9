#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

namespace sunder::layered {

struct OrderingOptions {
    float share = 1; ///< of the whole graph's boxes that are in this part, and so of the work to be spent
    /// Former x per box (NaN: new), empty: none. The order starts from these.
    std::vector<float> previousX = {};
};

/// What following a segment adds to the weight of a chain: the cube of its arc's weight, so that a few heavy arcs
/// outweigh many light ones; counted where an arc ends, so that a lane counts once.
inline double chainGain(const Layering& layering, const Segment& segment)
{
    const double weight = segment.weight;
    return layering.isDummy(segment.lower) ? 0 : weight * weight * weight;
}

/// The heaviest chain of arcs that starts at each vertex, by chainGain.
std::vector<double> tailWeights(const Layering& layering);

/// Orders the vertices of every rank so that few segments cross: starts from a depth-first search that follows the
/// heaviest chains first, with long edges at the left (chips stand at the right), sweeps down and up by barycentres, exchanges neighbours, sifts, keeps the best. The
/// work spent is bounded by a constant and a multiple of the segments. False when cancelled.
bool orderRanks(Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor);

} // namespace sunder::layered
