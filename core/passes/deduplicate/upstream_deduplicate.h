#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Reproduces PyTorch's apply_graph_deduplication node for node, including its bugs, for the regions that its tracker finds. The
/// result may not be equivalent to the source. Returns ErrorCode::refused where PyTorch raises an exception.
Result<DedupResult> deduplicateAsUpstream(const Program& source, const RegionResult& regions, ProgressMonitor& monitor);

} // namespace sunder
