#pragma once

#include "ir/program.h"
#include "passes/regions/region_classes.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <vector>

namespace sunder {

struct RegionOptions {
    std::optional<RegionKey> key; ///< default: `tracked` if nodes carry region keys, else `structural`
    bool asUpstream = false;      ///< returns the regions of PyTorch's tracker even if they cannot be shared
};

/// Finds the repeated regions of the program's root graph: those that PyTorch's tracker grows for the chosen classes, without those
/// that cannot share a subgraph, which are returned with a reason. Refuses a graph that uses a node before its definition. Fails
/// with ErrorCode::cancelled. About linear; see growRegions() and correctRegions().
Result<RegionResult> findRegions(const Program& program, const RegionOptions& options = {},
                                 ProgressMonitor& monitor = ProgressMonitor::none());

/// Returns the regions that PyTorch's GraphRegionTracker.get_identical_regions finds for these classes, in its order. Linear in
/// edges, except for the check whether a node that joins a region creates a cycle. That check visits the ancestors of each
/// region's root between the region and the outside users of its nodes. Fails with ErrorCode::cancelled.
Result<std::vector<RegionGroup>> growRegions(const RankedGraph& graph, const RegionClasses& classes, ProgressMonitor& monitor);

} // namespace sunder
