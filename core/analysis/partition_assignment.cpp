#include "analysis/partition_assignment.h"

#include <unordered_map>

namespace sunder {

PartitionAssignment assignPartitions(const Graph& graph, std::span<const PartitionPair> pairs)
{
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    std::unordered_map<InternedString, std::uint32_t> indices;
    const NodeIndex nodes(graph);
    for (const auto& [name, id] : pairs) {
        const NodeId node = nodes.find(name);
        if (!node) {
            partitions.unknownNodes.emplace_back(name, id);
            continue;
        }
        const auto [at, isNew] = indices.emplace(id.text, static_cast<std::uint32_t>(partitions.ids.size()));
        if (isNew)
            partitions.ids.push_back(id);
        else if (!id.number)
            partitions.ids[at->second].number.reset();
        partitions.partitionOf[node.index()] = at->second;
    }
    return partitions;
}

} // namespace sunder
