#pragma once

#include "ir/graph.h"
#include "support/progress_monitor.h"

namespace sunder {

/// The names that torch has given out when a graph like this one has been traced. A tracer names each node after its
/// target and may rename it later (after a variable); no name is ever given twice, so the first one counts as well.
/// Unfinished once `monitor` was cancelled.
Namespace givenNames(const Graph& graph, ProgressMonitor& monitor);

} // namespace sunder
