#pragma once

#include "analysis/run_order/ranked_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Criterion for equal nodes.
enum class RegionKey : std::uint8_t {
    tracked,    ///< `region_key`: what TorchDynamo's tracker saw
    structural, ///< the node's own data: op, target, constants, keyword names, values of inputs
};

/// Nodes with equal numbers are equal; kNoRegionClass marks nodes that equal no other.
using RegionClasses = std::vector<std::uint32_t>;
inline constexpr std::uint32_t kNoRegionClass = 0xffffffffU;

/// Returns `tracked` if a node of the graph carries a region key, else `structural`.
RegionKey regionKeyFor(const Graph& graph);

/// Returns the class of each node, per rank, numbered by first member. O(nodes + arguments).
RegionClasses trackedClasses(const RankedGraph& graph);
/// Returns classes of nodes with equal `op`, `target`, arguments (constants by type and value), keywords sorted by name, and
/// `val` of inputs without storage ids and hints. Placeholders, attributes and outputs have no class. O(nodes + arguments + size
/// of `val`).
RegionClasses structuralClasses(const RankedGraph& graph);
/// Same; fails with ErrorCode::cancelled.
Result<RegionClasses> structuralClasses(const RankedGraph& graph, ProgressMonitor& monitor);

} // namespace sunder
