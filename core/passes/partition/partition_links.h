#pragma once

#include "ir/graph.h"
#include "passes/partition/partition_set.h"

#include <cstdint>
#include <span>
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

/// Links between partitions, by index; each list is ascending and free of repeats.
struct PartitionLinks {
    std::vector<std::vector<std::uint32_t>> parents;
    std::vector<std::vector<std::uint32_t>> children;
};

/// Returns the links between partitions. A partition is a parent of another if one of its members has a user there and is not
/// itself a member there. `members` may share nodes. Placeholders and attributes are in every partition that reads them, and so
/// link nothing. O(members + uses of calls × partitions per call).
PartitionLinks partitionLinks(const Graph& graph, std::span<const std::vector<NodeId>> members);

/// partitionLinks() for algorithms that try many partitionings of one graph; keeps its tables between calls.
class LinkFinder {
public:
    explicit LinkFinder(const Graph& graph) : m_graph(graph), m_begin(graph.idBound() + 1, 0) {}
    /// Writes the links to `links`.
    void find(std::span<const std::span<const NodeId>> members, PartitionLinks& links);

private:
    void findHolders(std::span<const std::span<const NodeId>> members);
    [[nodiscard]] std::span<const std::uint32_t> holdersOf(NodeId id) const
    {
        return std::span(m_holders).subspan(m_begin[id.index()], m_begin[id.index() + 1] - m_begin[id.index()]);
    }

    const Graph& m_graph;
    std::vector<std::uint32_t> m_begin;   ///< per NodeId: start of its list in m_holders
    std::vector<std::uint32_t> m_holders; ///< partitions that contain the call, ascending per node
    std::vector<std::uint32_t> m_next;
};

/// Returns the length of the longest path from a partition without parents; 0 for partitions on or after a cycle.
std::vector<std::uint32_t> partitionLevels(const PartitionLinks& links);

/// Returns whether a path of links leads from the partition back to itself.
bool isOnCircle(const PartitionLinks& links, std::uint32_t partition);

} // namespace sunder
