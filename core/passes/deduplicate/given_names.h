#pragma once

#include "ir/graph.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Returns the names that torch has assigned by the time a graph like this one has been traced. A tracer names each node after
/// its target and may rename it later, for example after a variable. Names are never reused, so the first name counts as well.
/// Incomplete if `monitor` is cancelled.
Namespace givenNames(const Graph& graph, ProgressMonitor& monitor);

} // namespace sunder
