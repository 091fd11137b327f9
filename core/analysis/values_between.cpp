#include "analysis/values_between.h"

#include "analysis/search/node_matcher.h"
#include "ir/getitem.h"
#include "ir/node_set.h"

namespace sunder {
namespace {

bool liesIn(std::string_view module, std::string_view path)
{
    return module.starts_with(path) && (module.size() == path.size() || module[path.size()] == '.');
}

} // namespace

Result<std::vector<NodeId>> endOfEdge(const Program& program, std::string_view name)
{
    const Graph& graph = program.rootGraph();
    if (const NodeId node = graph.find(intern(name)))
        return std::vector{node};
    std::vector<NodeId> nodes;
    for (const NodeId id : graph.nodes())
        if (!name.empty() && graph[id].isCall() && liesIn(modulePathOf(program, graph[id]), name))
            nodes.push_back(id);
    if (nodes.empty())
        return fail(ErrorCode::usage,
                    "no node and no module is called \"" + std::string(name) + "\"; find lists those whose names are like it");
    return nodes;
}

std::vector<ValueBetween> valuesBetween(const Graph& graph, std::span<const NodeId> from, std::span<const NodeId> to)
{
    const NodeSet makers(from);
    const NodeSet askers(to);
    std::vector<ValueBetween> values;
    for (const NodeId value : graph.nodes()) {
        ValueBetween one{.value = value, .producer = value, .item = itemNumber(graph[value])};
        if (one.item)
            one.producer = graph[value].args[0].asNode();
        if (!makers.contains(value) && !(one.item && makers.contains(one.producer)))
            continue;
        for (const NodeId user : graph.users(value)) {
            if (askers.contains(user) && !makers.contains(user))
                one.readers.push_back(user);
            else if (!itemNumber(graph[user])) // a getitem is a value of its own
                ++one.further;
        }
        if (!one.readers.empty())
            values.push_back(std::move(one));
    }
    return values;
}

} // namespace sunder
