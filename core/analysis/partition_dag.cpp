#include "analysis/partition_dag.h"

#include "analysis/sizes.h"
#include "ir/getitem.h"

namespace sunder {
namespace {

bool isGetitemOf(const Graph& graph, NodeId id, NodeId call)
{
    const Node& node = graph[id];
    return isGetitem(node) && !node.args.empty() && node.args[0].is(ArgumentKind::node) && node.args[0].asNode() == call;
}

/// Returns the getitems of a call if these are its only users; otherwise the call itself.
std::vector<InternedString> outputsOf(const Graph& graph, NodeId call)
{
    std::vector<InternedString> names;
    for (const NodeId user : graph.users(call)) {
        if (!isGetitemOf(graph, user, call))
            return {graph[call].name};
        names.push_back(graph[user].name);
    }
    return names.empty() ? std::vector{graph[call].name} : names;
}

std::uint64_t outputBytesOf(const Program& program, GraphId graph)
{
    ValueBytes values(program, graph);
    std::uint64_t bytes = 0;
    for (const NodeId id : program.graph(graph).nodes())
        if (program.graph(graph)[id].isCall())
            bytes += values.of(id).value_or(0);
    return bytes;
}

} // namespace

std::vector<PartitionDagNode> partitionDag(const Program& split)
{
    const Graph& graph = split.rootGraph();
    const MemoryTable memory = memoryTable(split.tensors);
    const MemoryReads reads(split, memory);
    MemorySum weights(memory.bytes);
    std::vector<PartitionDagNode> dag;
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op != Op::callModule)
            continue;
        const ModuleId part = split.modules.resolve(node.target.view());
        if (!part || !split.modules[part].graph)
            continue;
        PartitionDagNode entry{
            .submodule = node.target, .call = id, .inputs = {}, .outputs = outputsOf(graph, id), .devices = {}};
        for (const NodeId input : graph.inputs(id))
            entry.inputs.push_back(graph[input].name);
        weights.clear();
        entry.usedBytes = weights.add(reads.of(id)) + outputBytesOf(split, split.modules[part].graph);
        dag.push_back(std::move(entry));
    }
    return dag;
}

} // namespace sunder
