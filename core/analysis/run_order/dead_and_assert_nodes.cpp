#include "analysis/run_order/dead_and_assert_nodes.h"

#include "analysis/run_order/call_effects.h"

#include <algorithm>

namespace sunder {
namespace {

bool hasOutput(const Graph& graph)
{
    const auto nodes = graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].op == Op::output; });
}

} // namespace

std::vector<char> deadAndAssertNodes(const Program& program, GraphId graphId)
{
    const Graph& graph = program.graph(graphId);
    std::vector<char> found(graph.idBound(), 0);
    if (!hasOutput(graph))
        return found;
    std::vector<NodeId> calls;
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callFunction || graph[id].op == Op::callMethod)
            calls.push_back(id);
    std::vector<char> isUsed(graph.idBound(), 0);
    for (const NodeId id : graph.nodes())
        if (graph[id].op == Op::callModule || graph[id].op == Op::output)
            for (const NodeId input : graph.inputs(id))
                isUsed[input.index()] = 1;
    EffectFinder effects(program);
    std::for_each(calls.rbegin(), calls.rend(), [&](NodeId id) {
        const bool isDeadNode = isUsed[id.index()] == 0 && effects.of(graph[id]).onlyComputes();
        found[id.index()] = isDeadNode ? 1 : 0;
        if (!isDeadNode)
            for (const NodeId input : graph.inputs(id))
                isUsed[input.index()] = 1;
    });
    return found;
}

} // namespace sunder
