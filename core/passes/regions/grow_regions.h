#pragma once

#include "passes/regions/region_classes.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <vector>

namespace sunder {

/// The regions that torch's GraphRegionTracker.get_identical_regions finds for these classes, in its order. Linear in
/// edges, but for the question whether a node joining a region would close a loop: that costs the ancestors of each
/// region's root between the region and the users of its nodes that lie outside.
std::vector<RegionGroup> growRegions(const RankedGraph& graph, const RegionClasses& classes,
                                     ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
