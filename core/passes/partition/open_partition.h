#pragma once

#include "analysis/cut/node_sizes.h"

#include <vector>

namespace sunder {

/// Fills partitions one after the other with calls in graph order. A call brings the placeholders and attributes that it reads,
/// which may be in several partitions. All operations are linear in the call's arguments.
class OpenPartition {
public:
    OpenPartition(const Graph& graph, const NodeSizes& sizes);

    /// Closes the current partition and opens an empty one.
    void open();
    /// Returns the bytes that a call adds to the current partition: its own, the outputs of inputs that are not in it, and the
    /// memories that are not in it.
    [[nodiscard]] std::uint64_t need(NodeId call) const;
    /// Adds the call. Returns the growth of PyTorch's account of the members; it differs from need() only if a file records a total
    /// for a placeholder or attribute that differs from its output.
    std::uint64_t add(NodeId call);
    /// Nodes of the closed partitions and the current one, in order of addition.
    [[nodiscard]] std::vector<std::vector<NodeId>>& members() { return m_members; }
    /// Returns the call, or the input of it, that has no known size; invalid if all sizes are known.
    [[nodiscard]] NodeId unsized(NodeId call) const;

private:
    [[nodiscard]] bool holds(NodeId id) const { return m_last[id.index()] == m_members.size(); }

    const Graph& m_graph;
    const NodeSizes& m_sizes;
    std::vector<std::vector<NodeId>> m_members;
    std::vector<std::uint32_t> m_last; ///< per node: 1 + the last partition that contains it
    MemorySum m_memories; ///< of the current partition
};

/// True for a placeholder or attribute, which a partition includes with the calls that read it.
inline bool isLeaf(const Node& node)
{
    return node.op == Op::placeholder || node.op == Op::getAttr;
}

} // namespace sunder
