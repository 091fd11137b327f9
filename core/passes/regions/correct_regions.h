#pragma once

#include "analysis/run_order/memory_dependencies.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <vector>

namespace sunder {

/// Returns those of the grown regions that can share a subgraph. Groups are judged in order, and regions in order within a group.
/// A region is rejected if:
/// - it contains a node twice,
/// - one of its nodes is in a region that was kept before,
/// - it is not a copy of the first kept region of its group (RegionCopy),
/// - two of its nodes that must keep their order are reversed in the group's order, or
/// - contracting it and all kept regions to one step each creates a cycle (ContractedOrder).
///
/// A group with fewer than two regions left is rejected entirely. `dependencies` is not modified, except for its scratch data.
/// Fails with ErrorCode::cancelled. Linear in the regions' arguments, except for the cycle check.
Result<RegionResult> correctRegions(const RankedGraph& graph, MemoryDependencies& dependencies, std::vector<RegionGroup> groups,
                                    ProgressMonitor& monitor);

} // namespace sunder
