#pragma once

#include "layout/layered_lanes.h"
#include "support/progress_monitor.h"

namespace sunder::layered {

struct OrderingOptions {
    bool lanesLeft = false; ///< long edges that start at the main path run at its left
    /// Former x per box (NaN: new), empty: none. The order starts from these.
    std::vector<float> previousX = {};
};

/// Weight of the heaviest chain of arcs that starts at each vertex; a dummy counts the arcs of its lane that it leads
/// to. In double, so that sums of equal weights compare equal.
std::vector<double> tailWeights(const FlowGraph& graph, const Layering& layering);

/// Orders the vertices of every rank so that few segments cross: starts from a depth-first search that follows the
/// heaviest chains first, sweeps down and up by barycentres, exchanges neighbours, keeps the best. The number of
/// sweeps shrinks as the graph grows, so that time stays near linear. False when cancelled.
bool orderRanks(const FlowGraph& graph, Layering& layering, const OrderingOptions& options, ProgressMonitor& monitor);

} // namespace sunder::layered
