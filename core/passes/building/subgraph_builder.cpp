#include "passes/building/subgraph_builder.h"

#include "ir/getitem.h"
#include "ir/graph_values.h"

#include <utility>

namespace sunder {

SubgraphBuilder::SubgraphBuilder(const Program& source, Policy policy, GraphIdMap graphOf)
    : m_source(source), m_from(source.rootGraph()), m_policy(policy), m_graphOf(std::move(graphOf)),
      m_argumentsHoldGraphs(argumentsHoldGraphs(source)), m_nodeOf(m_from.idBound())
{
}

void SubgraphBuilder::begin(Graph& graph, GraphId id, IdentityMap& map)
{
    for (const NodeId value : m_held)
        m_nodeOf[value.index()] = {};
    m_held.clear();
    m_graph = &graph;
    m_id = id;
    m_map = &map;
}

void SubgraphBuilder::hold(NodeId value, NodeId node, Role role)
{
    m_held.push_back(value);
    m_nodeOf[value.index()] = node;
    m_map->add({m_source.root, value}, {m_id, node}, role == Role::carrier);
}

NodeId SubgraphBuilder::add(NodeId value, NodeSpec spec, Role role)
{
    const bool isExact = m_policy.naming == Naming::exact;
    if (isExact)
        spec.name = m_from[value].name;
    const NodeId made = isExact ? m_graph->append(std::move(spec)) : m_graph->create(std::move(spec));
    hold(value, made, role);
    return made;
}

NodeId SubgraphBuilder::addInput(NodeId value, InternedString target)
{
    const Node& from = m_from[value];
    return add(value, {.op = Op::placeholder, .name = {}, .target = target, .fn = {}, .type = from.type, .meta = from.meta},
               Role::carrier);
}

NodeId SubgraphBuilder::addAttribute(NodeId attribute)
{
    const Node& from = m_from[attribute];
    return add(attribute, {.op = Op::getAttr, .name = {}, .target = from.target, .fn = {}, .type = from.type, .meta = from.meta});
}

NodeSpec SubgraphBuilder::copyWithoutArguments(NodeId id) const
{
    const Node& from = m_from[id];
    const bool isExact = m_policy.naming == Naming::exact;
    return {.op = from.op,
            .name = m_policy.naming == Naming::fromTarget ? InternedString() : from.name,
            .target = from.target,
            .fn = from.fn,
            .type = from.type,
            .meta = from.meta,
            .extra = isExact ? from.extra : InternedString()};
}

Argument SubgraphBuilder::mappedGraphs(const Argument& value) const
{
    return holdsGraph(value) ? mapGraphs(value, m_graphOf) : value;
}

void SubgraphBuilder::addOutput(std::span<const NodeId> values)
{
    Arguments results;
    for (const NodeId value : values)
        results.push_back(Argument::node(find(value)));
    Argument result = returnsBare(values) ? results.front() : Argument::tuple(std::move(results));
    m_graph->create({.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {std::move(result)}});
}

void SubgraphBuilder::addCall(InternedString target, std::span<const NodeId> inputs, std::span<const NodeId> results)
{
    Arguments args;
    args.reserve(inputs.size());
    for (const NodeId value : inputs)
        args.push_back(Argument::node(find(value)));
    const NodeId call = m_graph->create({.op = Op::callModule,
                                         .name = {},
                                         .target = target,
                                         .fn = {},
                                         .args = std::move(args),
                                         .meta = metaWithValue(valueOf(results))});
    if (returnsBare(results)) {
        hold(results.front(), call, Role::carrier);
        return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        NodeSpec spec = getitemSpec(call, i);
        spec.meta = metaWithValue(m_from[results[i]].meta.val);
        hold(results[i], m_graph->create(std::move(spec)), Role::carrier);
    }
}

/// Returns the value of a call; nothing if that of a result is unknown.
std::optional<Argument> SubgraphBuilder::valueOf(std::span<const NodeId> results) const
{
    Arguments values;
    for (const NodeId result : results) {
        if (!m_from[result].meta.val)
            return std::nullopt;
        values.push_back(*m_from[result].meta.val);
    }
    return returnsBare(results) ? values.front() : Argument::tuple(std::move(values));
}

} // namespace sunder
