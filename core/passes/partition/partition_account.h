#pragma once

#include "passes/partition/node_sizes.h"
#include "passes/partition/stamp_set.h"

#include <span>

namespace sunder {

/// Reckons what sets of nodes take of a device. Holds scratch tables, so make one and ask it often.
class PartitionAccount {
public:
    PartitionAccount(const Graph& graph, const NodeSizes& sizes)
        : m_graph(graph), m_sizes(sizes), m_nodes(graph.idBound()), m_inputs(graph.idBound()),
          m_memories(sizes.memoryBytes.size())
    {
    }

    /// torch's account: what the nodes own, and for each of them the outputs of its inputs that are not among the
    /// nodes, so a value from elsewhere counts once for each reader. Memories count once. O(nodes + arguments).
    [[nodiscard]] std::uint64_t used(std::span<const NodeId> nodes) { return reckon(nodes, false); }
    /// What a device truly holds: the same with a value from elsewhere, or of a placeholder or attribute, counted by
    /// its output and once.
    [[nodiscard]] std::uint64_t held(std::span<const NodeId> nodes) { return reckon(nodes, true); }

private:
    std::uint64_t reckon(std::span<const NodeId> nodes, bool inputsOnce);

    const Graph& m_graph;
    const NodeSizes& m_sizes;
    StampSet m_nodes;
    StampSet m_inputs;
    StampSet m_memories;
};

} // namespace sunder
