#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// The effect of a node on the autocast state or grad mode of later nodes.
enum class StateSetter : std::uint8_t { none, enterAutocast, exitAutocast, setGradEnabled };

StateSetter stateSetterOf(const Node& node);

/// The partitions in which a setter is in effect, by index in order of appearance.
struct StateRegion {
    NodeId setter;
    NodeId exit = {};        ///< for autocast
    std::uint32_t first = 0; ///< partition of the setter
    std::uint32_t last = 0;  ///< partition of the exit, or of the last call before the next setter of grad mode
};

/// State regions of the root graph, each kind in order of its setters.
struct StateRegions {
    std::vector<StateRegion> autocast;
    std::vector<StateRegion> grad;
};

/// Finds the state regions. `calls`: the calls of the graph in order; `partOf`: the partition of each, by NodeId, numbered by
/// first appearance; `ids`: their names. If there is a region, refuses as torch does: autocast that is never exited or exited
/// twice, state set from computed values, partitions without numbers, and descending numbers. O(calls).
Result<StateRegions> findStateRegions(const Graph& graph, std::span<const NodeId> calls, std::span<const std::uint32_t> partOf,
                                      std::span<const PartitionId> ids);

} // namespace sunder
