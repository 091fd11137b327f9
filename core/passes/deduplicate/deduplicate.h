#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/find_regions.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Replaces repeated regions of the root graph by calls of one subgraph per group, like torch's apply_graph_deduplication. Names,
/// operands, results and order equal torch's wherever torch's result is equivalent to the source.
///
/// By default the result is equivalent to the source: regions that cannot be replaced safely stay in place, with a reason.
/// `asUpstream` returns torch's result even if it is not equivalent, and returns ErrorCode::refused where torch raises.
///
/// Refuses a graph that uses a node before its definition. Fails with ErrorCode::cancelled. About linear, see findRegions(). Use
/// ProvableDedup if the result must be verified.
Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
