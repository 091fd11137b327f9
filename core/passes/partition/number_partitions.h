#pragma once

#include "ir/graph.h"
#include "passes/partition/partition_set.h"

#include <vector>

namespace sunder {

/// Members in any order, possibly repeated, as collected by partitioners.
struct UnnumberedPartition {
    std::vector<NodeId> nodes;
    std::uint64_t usedBytes = 0;
    std::vector<std::int64_t> devices = {};
    PartitionOrigin origin = {};
};

/// Sorts partitions by their first call and their nodes by graph order, numbers them in that order, and links them. Partitions
/// without a call come last. `order`, if given, receives the new index of each partition. A call listed in several partitions is
/// assigned to the last of them. O(members log members + uses).
PartitionSet numberPartitions(const Graph& graph, std::vector<UnnumberedPartition> partitions,
                              std::vector<std::uint32_t>* order = nullptr);

} // namespace sunder
