#include "passes/split_module/derived_partitions.h"

namespace sunder {
namespace {

/// Returns the path of a node's enclosing module at that level; empty if there is none.
InternedString moduleAtLevel(const Program& program, const Node& node, std::uint32_t depth)
{
    InternedString path;
    if (!node.meta.modules)
        return path;
    std::uint32_t level = 0;
    for (const ModuleFrame& frame : program.stackOf(node))
        if (!frame.path.empty() && level++ < depth) // the root module has no path
            path = frame.path;
    return path;
}

} // namespace

PartitionAssignment partitionsOfTags(const Graph& graph, const TagAssignment& tags)
{
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    for (const InternedString tag : tags.order)
        partitions.ids.push_back({.text = tag});
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(tags[id]);
    return partitions;
}

PartitionAssignment partitionsByModule(const Program& program, std::uint32_t depth)
{
    const Graph& graph = program.rootGraph();
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    const auto open = [&partitions] {
        const auto number = static_cast<std::int64_t>(partitions.ids.size());
        partitions.ids.push_back({.text = intern(std::to_string(number)), .number = number});
    };
    InternedString current;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const InternedString module = moduleAtLevel(program, graph[id], depth);
        const bool isAnother = !module.empty() && !current.empty() && module != current;
        if (partitions.ids.empty() || isAnother)
            open();
        if (!module.empty())
            current = module;
        partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(partitions.ids.size() - 1);
    }
    return partitions;
}

} // namespace sunder
