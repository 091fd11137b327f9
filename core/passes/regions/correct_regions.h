#pragma once

#include "passes/regions/order_constraints.h"
#include "passes/regions/region_result.h"
#include "support/progress_monitor.h"

#include <vector>

namespace sunder {

/// Of the regions that growth found, those that may share one subgraph. Groups are judged in order, and within them
/// regions in order. A region is rejected when a node is in it twice; when a node of it is in a region kept before;
/// when it is not a copy of the first region kept in its group (RegionCopy); when two of its nodes that must keep an
/// order stand the other way round in the group's order; or when making it, and all regions kept so far, one step each
/// would close a loop (ContractedOrder). A group with fewer than two regions left is rejected as a whole. `constraints`
/// is only read, but for its scratch. Linear in the regions' arguments, but for the search for loops.
RegionResult correctRegions(const RankedGraph& graph, OrderConstraints& constraints, std::vector<RegionGroup> groups,
                            ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
