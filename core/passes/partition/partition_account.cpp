#include "passes/partition/partition_account.h"

namespace sunder {

std::uint64_t PartitionAccount::used(std::span<const NodeId> nodes)
{
    m_nodes.clear();
    m_memories.clear();
    for (const NodeId id : nodes)
        m_nodes.insert(id.index());
    std::uint64_t bytes = 0;
    for (const NodeId id : nodes) {
        bytes += m_sizes.own[id.index()];
        for (const std::uint32_t memory : m_sizes.memoriesOf(id))
            if (m_memories.insert(memory))
                bytes += m_sizes.memoryBytes[memory];
        for (const NodeId input : m_graph.inputs(id))
            if (!m_nodes.contains(input.index()))
                bytes += m_sizes.output[input.index()];
    }
    return bytes;
}

} // namespace sunder
