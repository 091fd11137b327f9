#pragma once

#include "ir/graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Which partitions feed which, by index; each list ascending and without repeats.
struct PartitionLinks {
    std::vector<std::vector<std::uint32_t>> parents;
    std::vector<std::vector<std::uint32_t>> children;
};

/// A partition is a parent of another when one of its members, not itself a member of the other, has a user there.
/// `members` may share nodes; every placeholder or attribute stands with the calls that read it, and so links nothing.
/// O(members + uses of calls, times the partitions that a call is in).
PartitionLinks partitionLinks(const Graph& graph, std::span<const std::vector<NodeId>> members);

/// Length of the longest path of links from a partition without parents; 0 for what lies on or behind a circle.
std::vector<std::uint32_t> partitionLevels(const PartitionLinks& links);

/// True when a path of links leaves the partition and comes back.
bool isOnCircle(const PartitionLinks& links, std::uint32_t partition);

} // namespace sunder
