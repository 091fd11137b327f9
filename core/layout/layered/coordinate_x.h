#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

/// Returns x of every vertex (for a box: of its center) for a given order. The main path is a vertical line at 0, lanes are
/// straight, and all other vertices are as close to their neighbors as the space allows. Fails only when canceled.
Result<std::vector<double>> placeAcross(const FlowGraph& graph, const Layering& layering, const LayoutOptions& options,
                                        ProgressMonitor& monitor);

} // namespace sunder::layered
