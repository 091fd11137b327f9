#pragma once

#include "layout/layered/layered_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

/// Performs all steps from boxes to a drawing for each part: ranks, lanes, order, coordinates, and routes. `rankHint` gives every
/// box a rank, or is empty. Parts where some edge would not run downward get computed ranks instead. Fails only when canceled.
Result<BoxLayout> layOutInRanks(const BoxGraph& graph, const LayoutOptions& options, const std::vector<Index>& rankHint,
                                ProgressMonitor& monitor);

} // namespace sunder::layered
