#include "analysis/values_between.h"

#include "analysis/search/node_matcher.h"
#include "ir/getitem.h"
#include "ir/module_tree.h"
#include "ir/node_set.h"

namespace sunder {
Result<std::vector<NodeId>> endOfEdge(const Program& program, std::string_view name)
{
    const Graph& graph = program.rootGraph();
    if (const NodeId node = graph.find(intern(name)))
        return std::vector{node};
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.nodes())
        if (!name.empty() && graph[id].isCall() && isWithin(modulePathOf(program, graph[id]), name))
            nodes.push_back(id);
    if (nodes.empty())
        return fail(ErrorCode::usage, "no node or module is named \"" + std::string(name) + "\"; use find to list similar names");
    return nodes;
}

ValueBetween valueBetween(const Graph& graph, NodeId value, const std::function<bool(NodeId)>& isReader)
{
    ValueBetween one{.value = value, .producer = value, .item = itemNumber(graph[value])};
    if (one.item)
        one.producer = graph[value].args[0].asNode();
    for (const NodeId user : graph.users(value)) {
        if (isReader(user))
            one.readers.push_back(user);
        else if (!itemNumber(graph[user])) // a getitem counts as a separate value
            ++one.further;
    }
    return one;
}

std::vector<ValueBetween> valuesBetween(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to)
{
    const NodeSet makers(from);
    const NodeSet askers(to);
    std::vector<ValueBetween> values;
    const auto isReader = [&](NodeId user) { return askers.contains(user) && !makers.contains(user); };
    for (const NodeId value : graph.nodes()) {
        const bool isItem = itemNumber(graph[value]).has_value();
        if (!makers.contains(value) && !(isItem && makers.contains(graph[value].args[0].asNode())))
            continue;
        if (ValueBetween one = valueBetween(graph, value, isReader); !one.readers.empty())
            values.push_back(std::move(one));
    }
    return values;
}

} // namespace sunder
