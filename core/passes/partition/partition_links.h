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

/// The same for methods that try many cuts of one graph: keeps its tables from one time to the next.
class LinkFinder {
public:
    explicit LinkFinder(const Graph& graph) : m_graph(graph), m_begin(graph.idBound() + 1, 0) {}
    /// Overwrites `links`.
    void find(std::span<const std::span<const NodeId>> members, PartitionLinks& links);

private:
    void findHolders(std::span<const std::span<const NodeId>> members);
    [[nodiscard]] std::span<const std::uint32_t> holdersOf(NodeId id) const
    {
        return std::span(m_holders).subspan(m_begin[id.index()], m_begin[id.index() + 1] - m_begin[id.index()]);
    }

    const Graph& m_graph;
    std::vector<std::uint32_t> m_begin;   ///< per NodeId: where the partitions that a call is a member of begin
    std::vector<std::uint32_t> m_holders; ///< ascending for each node
    std::vector<std::uint32_t> m_next;
};

/// Length of the longest path of links from a partition without parents; 0 for what lies on or behind a circle.
std::vector<std::uint32_t> partitionLevels(const PartitionLinks& links);

/// True when a path of links leaves the partition and comes back.
bool isOnCircle(const PartitionLinks& links, std::uint32_t partition);

} // namespace sunder
