#pragma once

#include "analysis/cut/node_sizes.h"
#include "support/number_set.h"

#include <span>

namespace sunder {

/// Computes the device memory used by sets of nodes. Contains scratch tables; reuse one instance for many queries.
class PartitionAccount {
public:
    PartitionAccount(const Graph& graph, const NodeSizes& sizes)
        : m_graph(graph), m_sizes(sizes), m_nodes(graph.idBound()), m_memories(sizes.memoryBytes.size())
    {
    }

    /// Returns bytes as torch counts them: bytes owned by the nodes, plus for each node the outputs of its inputs outside the
    /// set, so that an outside value counts once per consumer. Memories count once. For actual device use, with each outside
    /// value counted once, see DeviceLoad under MemoryRule::keepsAll. O(nodes + arguments).
    [[nodiscard]] std::uint64_t used(std::span<const NodeId> nodes);

private:
    const Graph& m_graph;
    const NodeSizes& m_sizes;
    StampSet m_nodes;
    StampSet m_memories;
};

} // namespace sunder
