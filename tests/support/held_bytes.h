#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"

#include <set>
#include <span>

namespace sunder::test {

/// Bytes that nodes hold together, by definition: their own bytes, each memory once, and each external value of a placeholder or
/// attribute once, by its output size.
inline std::uint64_t heldBytes(const Program& program, const NodeSizes& sizes, std::span<const NodeId> nodes)
{
    const Graph& graph = program.rootGraph();
    std::set<std::uint32_t> calls;
    for (const NodeId id : nodes)
        if (graph[id].isCall())
            calls.insert(id.index());
    std::set<std::uint32_t> memories;
    std::set<std::uint32_t> inputs;
    std::uint64_t bytes = 0;
    for (const NodeId id : nodes) {
        if (!graph[id].isCall())
            continue;
        bytes += sizes.own[id.index()];
        for (const std::uint32_t memory : sizes.reads.of(id))
            bytes += memories.insert(memory).second ? sizes.memory.bytes[memory] : 0;
        for (const NodeId input : graph.inputs(id))
            if (!calls.contains(input.index()) && inputs.insert(input.index()).second)
                bytes += sizes.output[input.index()];
    }
    return bytes;
}

} // namespace sunder::test
