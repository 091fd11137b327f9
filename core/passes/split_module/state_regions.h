#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// What a node does to the autocast state or the grad mode of those behind it.
enum class StateSetter : std::uint8_t { none, enterAutocast, exitAutocast, setGradEnabled };

StateSetter stateSetterOf(const Node& node);

/// The partitions in which a setter holds, by index in order of appearance.
struct StateRegion {
    NodeId setter;
    NodeId exit = {};        ///< of autocast
    std::uint32_t first = 0; ///< partition of the setter
    std::uint32_t last = 0;  ///< partition of the exit; of the last call before the next setter of grad mode
};

/// Regions of the root graph, each in the order of their setters.
struct StateRegions {
    std::vector<StateRegion> autocast;
    std::vector<StateRegion> grad;
};

/// `calls` are the calls of the graph in order, `partOf` gives the partition of each by NodeId, numbered by first
/// appearance, and `ids` what they are called. Refuses as torch does, once there is a region at all: autocast that is
/// never left or left twice, state set from computed values, partitions that have no numbers, or whose numbers go down.
/// O(calls).
Result<StateRegions> findStateRegions(const Graph& graph, std::span<const NodeId> calls, std::span<const std::uint32_t> partOf,
                                      std::span<const PartitionId> ids);

} // namespace sunder
