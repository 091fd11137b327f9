#pragma once

#include "analysis/cut/node_sizes.h"
#include "support/stamp_set.h"

#include <span>

namespace sunder {

/// Reckons what sets of nodes take of a device. Holds scratch tables, so make one and ask it often.
class PartitionAccount {
public:
    PartitionAccount(const Graph& graph, const NodeSizes& sizes)
        : m_graph(graph), m_sizes(sizes), m_nodes(graph.idBound()), m_memories(sizes.memoryBytes.size())
    {
    }

    /// torch's account: what the nodes own, and for each of them the outputs of its inputs that are not among the
    /// nodes, so a value from elsewhere counts once for each reader. Memories count once. What a device holds, each value
    /// from elsewhere once, is a DeviceLoad under MemoryRule::keepsAll. O(nodes + arguments).
    [[nodiscard]] std::uint64_t used(std::span<const NodeId> nodes);

private:
    const Graph& m_graph;
    const NodeSizes& m_sizes;
    StampSet m_nodes;
    StampSet m_memories;
};

} // namespace sunder
