#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// torch's apply_graph_deduplication for the regions that its tracker finds, node for node, its faults included: the
/// result need not compute what the source computes. Refused where torch raises an exception.
Result<DedupResult> deduplicateAsUpstream(const Program& source, const RegionResult& regions, ProgressMonitor& monitor);

} // namespace sunder
