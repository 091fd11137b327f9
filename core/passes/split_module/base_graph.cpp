#include "passes/split_module/base_graph.h"

#include "ir/getitem.h"
#include "ir/graph_values.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {
} // namespace

BaseGraph::BaseGraph(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
                     const SplitModuleGraphs& parts, std::span<const InternedString> partNames,
                     SplitModuleGraphs::GraphIdMap graphId)
    : m_source(source), m_graph(source.rootGraph()), m_plan(plan), m_options(options), m_parts(parts), m_partNames(partNames),
      m_graphId(std::move(graphId)), m_nodes(m_graph.idBound())
{
}

/// With keepOriginalOrder, attributes are created at their first use; otherwise all inputs and attributes come first.
Result<void> BaseGraph::build(std::span<const std::uint32_t> order, Graph& graph, GraphId id, IdentityMap& map)
{
    const bool lazily = m_options.keepOriginalOrder && !order.empty();
    std::size_t items = 0;
    for (const std::uint32_t part : order)
        items += m_plan.outputs[part].size();
    graph.reserve(m_plan.entering.size() + order.size() + items + m_plan.ends.size());
    m_registered.reserve(m_plan.entering.size() + order.size());
    for (const NodeId source : m_plan.entering)
        if (!lazily || m_graph[source].op == Op::placeholder)
            carry(source, graph, id, map);
    for (std::uint32_t place = 0; place < order.size(); ++place)
        if (const Result<void> called = call(order[place], place, graph, id, map); !called)
            return called;
    SUNDER_PROPAGATE(checkNames(order));
    if (lazily && std::ranges::none_of(m_nodes, [](NodeId node) { return node.isValid(); }))
        for (const NodeId source : m_plan.entering)
            carry(source, graph, id, map);
    for (const NodeId source : m_plan.ends)
        if (const Result<void> added = addOutput(source, graph, id, map); !added)
            return added;
    return {};
}

/// torch lets an attribute replace a partition that was called earlier; its result cannot run.
Result<void> BaseGraph::checkNames(std::span<const std::uint32_t> order) const
{
    std::unordered_map<InternedString, std::uint32_t> partOfName;
    for (const auto& [name, at] : m_registered) {
        if (at != kAttribute)
            partOfName.emplace(name, order[at]);
        else if (const auto found = partOfName.find(name); found != partOfName.end())
            return fail(ErrorCode::refused,
                        "partition " + m_plan.ids[found->second].text.str() + " would be named " + name.str()
                            + ", like an attribute that a later partition reads; rename the partition, or "
                              "do not keep the original order",
                        {.other = name.str()});
    }
    return {};
}

void BaseGraph::carry(NodeId source, Graph& graph, GraphId id, IdentityMap& map)
{
    const Node& from = m_graph[source];
    const bool isAttribute = from.op == Op::getAttr;
    NodeSpec spec{.op = from.op, .name = {}, .target = from.target, .fn = {}, .meta = from.meta};
    if (isAttribute) {
        m_registered.emplace_back(from.target, kAttribute);
    } else {
        spec.type = from.type;
        if (m_options.keepOriginalNodeNames && m_options.keepSignature)
            spec.name = candidateName(Op::placeholder, from.name, {});
        else if (m_options.keepOriginalNodeNames)
            spec.target = from.name;
        if (!from.args.empty()) // default value
            spec.args = {from.args.front()};
    }
    const NodeId made = graph.create(std::move(spec));
    m_nodes[source.index()] = made;
    map.add({m_source.root, source}, {id, made});
}

Result<void> BaseGraph::call(std::uint32_t part, std::uint32_t place, Graph& graph, GraphId id, IdentityMap& map)
{
    Arguments args;
    args.reserve(m_parts.inputs(part).size());
    for (const NodeId value : m_parts.inputs(part))
        if (!m_nodes[value.index()] && m_graph[value].op == Op::getAttr)
            carry(value, graph, id, map);
    for (const NodeId value : m_parts.inputs(part)) {
        if (!m_nodes[value.index()])
            return fail(ErrorCode::refused,
                        "partition " + m_plan.ids[part].text.str() + " needs " + m_graph[value].name.str() + " of partition "
                            + m_plan.ids[m_plan.partOf[value.index()]].text.str()
                            + ", which comes after it in the original order; do not keep that order",
                        {.node = m_graph[value].name.str(), .other = m_plan.ids[part].text.str()});
        args.push_back(Argument::node(m_nodes[value.index()]));
    }
    m_registered.emplace_back(m_partNames[place], place);
    const NodeId called = graph.create({.op = Op::callModule,
                                        .name = {},
                                        .target = m_partNames[place],
                                        .fn = {},
                                        .args = std::move(args),
                                        .meta = metaWithValue(valueOf(part))});
    const std::vector<NodeId>& outputs = m_plan.outputs[part];
    if (outputs.size() == 1 && !m_options.tupleReturn) {
        m_nodes[outputs.front().index()] = called;
        map.add({m_source.root, outputs.front()}, {id, called}, true);
        return {};
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        NodeSpec spec = getitemSpec(called, i);
        spec.meta = metaWithValue(m_graph[outputs[i]].meta.val);
        const NodeId item = graph.create(std::move(spec));
        m_nodes[outputs[i].index()] = item;
        map.add({m_source.root, outputs[i]}, {id, item}, true);
    }
    return {};
}

Result<void> BaseGraph::addOutput(NodeId source, Graph& graph, GraphId id, IdentityMap& map)
{
    const Arguments& given = m_graph[source].args;
    NodeId missing;
    Argument result = mapNodes(given.empty() ? Argument() : given.front(), [&](NodeId value) {
        if (m_nodes[value.index()])
            return Argument::node(m_nodes[value.index()]);
        missing = value;
        return Argument();
    });
    if (missing)
        return fail(ErrorCode::refused,
                    "the output reads " + m_graph[missing].name.str() + " (" + m_graph[missing].target.str()
                        + "), which no partition reads; do not keep the original order",
                    {.node = m_graph[missing].name.str()});
    const NodeId output = graph.create({.op = Op::output,
                                        .name = {},
                                        .target = intern("output"),
                                        .fn = {},
                                        .args = {holdsGraphs(m_graph[source]) ? mapGraphs(result, m_graphId) : result}});
    map.add({m_source.root, source}, {id, output});
    return {};
}

std::optional<Argument> BaseGraph::valueOf(std::uint32_t part) const
{
    Arguments values;
    for (const NodeId value : m_plan.outputs[part]) {
        if (!m_graph[value].meta.val)
            return std::nullopt;
        values.push_back(*m_graph[value].meta.val);
    }
    if (values.size() == 1 && !m_options.tupleReturn)
        return values.front();
    return Argument::tuple(std::move(values));
}

} // namespace sunder
