#pragma once

#include "analysis/cut/node_sizes.h"

#include <vector>

namespace sunder {

/// Fills partitions one after the other with calls in graph order. A call brings along the placeholders and attributes
/// that it reads; those may stand in several partitions. All steps are linear in the call's arguments.
class OpenPartition {
public:
    OpenPartition(const Graph& graph, const NodeSizes& sizes);

    /// Closes what is open and opens an empty partition.
    void open();
    /// Bytes that a call needs beside what is in the partition: its own, the outputs of inputs that are not in it, and
    /// the memories that are not in it.
    [[nodiscard]] std::uint64_t need(NodeId call) const;
    /// Puts the call in. Returns the bytes by which torch's account of the members grows; differs from need() only
    /// where a file gives a placeholder or attribute a total unlike its output.
    std::uint64_t add(NodeId call);
    /// Nodes of the closed partitions and the open one, as they came.
    [[nodiscard]] std::vector<std::vector<NodeId>>& members() { return m_members; }
    /// The node among those that need() reads which has no size; invalid when all have one.
    [[nodiscard]] NodeId unsized(NodeId call) const;

private:
    [[nodiscard]] bool holds(NodeId id) const { return m_last[id.index()] == m_members.size(); }

    const Graph& m_graph;
    const NodeSizes& m_sizes;
    std::vector<std::vector<NodeId>> m_members;
    std::vector<std::uint32_t> m_last;       ///< per node: 1 + the last partition that took it
    std::vector<std::uint32_t> m_lastMemory; ///< per memory: the same
};

/// A placeholder or attribute: what a partition takes along with the calls that read it.
inline bool isLeaf(const Node& node)
{
    return node.op == Op::placeholder || node.op == Op::getAttr;
}

} // namespace sunder
