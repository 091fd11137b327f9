#include "passes/building/graph_values.h"

#include <algorithm>
#include <utility>

namespace sunder {
namespace {

bool holdsGraph(const Argument& argument)
{
    if (argument.is(ArgumentKind::graph))
        return true;
    return std::any_of(argument.items().begin(), argument.items().end(), holdsGraph);
}

} // namespace

bool holdsGraphs(const Node& node)
{
    return std::any_of(node.args.begin(), node.args.end(), holdsGraph) ||
           std::any_of(node.kwargs.begin(), node.kwargs.end(),
                       [](const Keyword& keyword) { return holdsGraph(keyword.value); });
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
    return std::any_of(program.owners.begin(), program.owners.end(), [](ModuleId owner) { return !owner.isValid(); }) &&
           holdsGraphs(program.rootGraph());
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

void replaceArguments(Graph& graph, NodeId id, Arguments args, Keywords kwargs)
{
    std::vector<std::pair<NodeId, std::vector<NodeId>>> usersOfInputs;
    for (const NodeId input : graph.inputs(id)) {
        usersOfInputs.emplace_back(input, std::vector<NodeId>());
        for (const NodeId user : graph.users(input))
            usersOfInputs.back().second.push_back(user);
    }
    graph.setArguments(id, std::move(args), std::move(kwargs));
    for (const auto& [input, users] : usersOfInputs)
        graph.setUserOrder(input, users);
}

} // namespace sunder
