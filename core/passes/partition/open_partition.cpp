#include "passes/partition/open_partition.h"

namespace sunder {

OpenPartition::OpenPartition(const Graph& graph, const NodeSizes& sizes)
    : m_graph(graph), m_sizes(sizes), m_members(1), m_last(graph.idBound(), 0), m_memories(sizes.memory.bytes)
{
}

void OpenPartition::open()
{
    m_members.emplace_back();
    m_memories.clear();
}

std::uint64_t OpenPartition::need(NodeId call) const
{
    std::uint64_t bytes = m_sizes.own[call.index()];
    for (const NodeId input : m_graph.inputs(call))
        if (!holds(input))
            bytes += m_sizes.output[input.index()];
    return bytes + m_memories.missing(m_sizes.reads.of(call));
}

std::uint64_t OpenPartition::add(NodeId call)
{
    const auto open = static_cast<std::uint32_t>(m_members.size());
    std::uint64_t bytes = m_sizes.own[call.index()];
    for (const NodeId input : m_graph.inputs(call)) {
        if (holds(input))
            continue;
        bytes += isLeaf(m_graph[input]) ? m_sizes.own[input.index()] : m_sizes.output[input.index()];
        if (isLeaf(m_graph[input])) {
            m_last[input.index()] = open;
            m_members.back().push_back(input);
        }
    }
    m_last[call.index()] = open;
    m_members.back().push_back(call);
    return bytes + m_memories.add(m_sizes.reads.of(call));
}

NodeId OpenPartition::unsized(NodeId call) const
{
    if (m_sizes.known[call.index()] == 0)
        return call;
    for (const NodeId input : m_graph.inputs(call))
        if (m_sizes.known[input.index()] == 0)
            return input;
    return {};
}

} // namespace sunder
