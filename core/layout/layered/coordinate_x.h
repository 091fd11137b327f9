#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

namespace sunder::layered {

/// x of every vertex (a box: of its centre) for a given order: the main path is one vertical line at 0, lanes are
/// straight, the rest lies as near to its neighbours as the room allows. Empty when cancelled.
std::vector<double> placeAcross(const FlowGraph& graph, const Layering& layering, const LayoutOptions& options,
                                ProgressMonitor& monitor);

} // namespace sunder::layered
