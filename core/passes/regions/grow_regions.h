#pragma once

#include "passes/regions/region_classes.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <vector>

namespace sunder {

/// Returns the regions that torch's GraphRegionTracker.get_identical_regions finds for these classes, in its order. Linear in
/// edges, except for the check whether a node that joins a region creates a cycle. That check visits the ancestors of each
/// region's root between the region and the outside users of its nodes.
std::vector<RegionGroup> growRegions(const RankedGraph& graph, const RegionClasses& classes,
                                     ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
