#pragma once

#include "analysis/run_order/ranked_graph.h"
#include "support/progress_monitor.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// What says that two nodes are alike.
enum class RegionKey : std::uint8_t {
    tracked,    ///< `region_key`: what TorchDynamo's tracker saw
    structural, ///< what the node says itself: op, target, constants, keyword names, what its inputs are
};

/// Nodes with equal numbers are alike; kNoRegionClass marks those that are like no other.
using RegionClasses = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kNoRegionClass = 0xffffffffU;

/// `tracked` when a node of the graph carries a region key, else `structural`.
RegionKey regionKeyFor(const Graph& graph);

/// The class of each node, per rank, numbered by first member. O(nodes + arguments).
RegionClasses trackedClasses(const RankedGraph& graph);
/// The same from what nodes say themselves: equal are `op`, `target`, arguments with constants by type and value,
/// keywords sorted by name, and in the place of each input its `val` without storage ids and hints. Placeholders,
/// attributes and outputs have no class. Unfinished once `monitor` was cancelled. O(nodes + arguments + what `val` holds).
RegionClasses structuralClasses(const RankedGraph& graph, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
