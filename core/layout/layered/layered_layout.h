#pragma once

#include "layout/layered/layered_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

/// The whole way from boxes to a drawing: ranks, lanes, order, coordinates, routes, part by part.
/// `rankHint` gives every box a rank; in parts where it does not let every edge run downwards (or is empty) ranks are
/// our own. Fails only when cancelled.
Result<BoxLayout> layOutInRanks(const BoxGraph& graph, const LayoutOptions& options, const std::vector<Index>& rankHint,
                                ProgressMonitor& monitor);

} // namespace sunder::layered
