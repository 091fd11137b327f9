#include "ir/graph_values.h"

#include <algorithm>
#include <utility>

namespace sunder {

bool holdsGraph(const Argument& argument)
{
    return argument.is(ArgumentKind::graph) || std::any_of(argument.items().begin(), argument.items().end(), holdsGraph);
}

bool holdsGraphs(const Node& node)
{
    return std::any_of(node.args.begin(), node.args.end(), holdsGraph)
        || std::any_of(node.kwargs.begin(), node.kwargs.end(), [](const Keyword& keyword) { return holdsGraph(keyword.value); });
}

bool holdsGraphs(const Graph& graph)
{
    for (const NodeId id : graph.nodes())
        if (holdsGraphs(graph.node(id)))
            return true;
    return false;
}

bool argumentsHoldGraphs(const Program& program)
{
    return std::any_of(program.owners.begin(), program.owners.end(), [](ModuleId owner) { return !owner.isValid(); })
        && holdsGraphs(program.rootGraph());
}

Argument mapGraphs(const Argument& argument, const std::function<GraphId(GraphId)>& graphOf)
{
    if (argument.is(ArgumentKind::graph))
        return Argument::graph(graphOf(argument.asGraph()));
    if (!argument.isCompound())
        return argument;
    Arguments items;
    items.reserve(argument.items().size());
    for (const Argument& item : argument.items())
        items.push_back(mapGraphs(item, graphOf));
    return argument.withItems(std::move(items));
}

void renumberGraphs(Graph& graph, const std::function<GraphId(GraphId)>& graphOf)
{
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!holdsGraphs(node))
            continue;
        Arguments args;
        for (const Argument& argument : node.args)
            args.push_back(mapGraphs(argument, graphOf));
        Keywords kwargs;
        for (const Keyword& keyword : node.kwargs)
            kwargs.push_back({keyword.key, mapGraphs(keyword.value, graphOf)});
        graph.rewriteConstants(id, std::move(args), std::move(kwargs));
    }
}

} // namespace sunder
