#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/find_regions.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

/// Replaces repeated regions of the root graph by calls of one subgraph each, as torch's apply_graph_deduplication does:
/// names, operands, results and order are torch's where torch's result computes what the source computes. By default
/// the result computes what the source computes: regions for which that is not possible stay in place, with a reason.
/// `asUpstream` gives torch's result whatever it computes, and is refused where torch raises. Refuses a graph that uses
/// a node before it is computed; fails with `cancelled`. About linear, see findRegions(). Whoever wants a proof of the result
/// uses ProvableDedup.
Result<DedupResult> deduplicate(const Program& source, const RegionOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
