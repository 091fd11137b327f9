#pragma once

#include "ir/graph.h"
#include "passes/partition/partition_set.h"

#include <vector>

namespace sunder {

/// Members in any order, repeats included, as partitioners collect them.
struct UnnumberedPartition {
    std::vector<NodeId> nodes;
    std::uint64_t usedBytes = 0;
    std::vector<std::int64_t> devices = {};
    PartitionOrigin origin = {};
};

/// Puts partitions in order of the place of their first call and their nodes in graph order, numbers them by that
/// order, and links them. `order`, when given, receives for each partition handed in its index in the set; a partition
/// without a call comes last. Calls are split into the partition that lists them last. O(members log members + uses).
PartitionSet numberPartitions(const Graph& graph, std::vector<UnnumberedPartition> partitions,
                              std::vector<std::uint32_t>* order = nullptr);

} // namespace sunder
