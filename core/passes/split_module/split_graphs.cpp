#include "passes/split_module/split_graphs.h"

#include "ir/getitem.h"
#include "ir/graph_values.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace sunder {

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

struct SplitModuleGraphs::Place {
    std::uint32_t part;
    Graph& graph;
    GraphId id;
    IdentityMap& map;
};

SplitModuleGraphs::SplitModuleGraphs(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
                                     GraphIdMap graphId)
    : m_source(source), m_graph(source.rootGraph()), m_plan(plan), m_options(options), m_graphId(std::move(graphId)),
      m_argumentsHoldGraphs(argumentsHoldGraphs(source)), m_local(m_graph.idBound()),
      m_localPart(m_graph.idBound(), SplitModulePlan::kNone), m_replays(plan.size()), m_exits(plan.size()), m_inputs(plan.size()),
      m_targets(plan.size()), m_attributeCounts(plan.size(), 0)
{
    for (const std::vector<StateRegion>* regions : {&plan.regions.autocast, &plan.regions.grad})
        for (const StateRegion& region : *regions)
            for (std::uint32_t part = region.first + 1; part <= region.last; ++part)
                m_replays[part].push_back(region.setter);
    for (const StateRegion& region : plan.regions.autocast)
        for (std::uint32_t part = region.first; part < region.last; ++part)
            m_exits[part].push_back(&region);
}

Result<void> SplitModuleGraphs::build(std::uint32_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps)
{
    const Place at{part, graph, id, map};
    const std::span<const NodeId> calls = m_plan.callsOf(part);
    graph.reserve(calls.size() + m_plan.inputs[part].size() + m_replays[part].size() + m_exits[part].size() + 1);
    replayStates(at);
    addInputs(at);
    for (const NodeId call : calls) {
        if (!steps.shouldContinue())
            return fail(ErrorCode::cancelled, "cancelled while splitting");
        SUNDER_PROPAGATE(addCall(at, call));
    }
    leaveStates(at);
    addOutput(at);
    return {};
}

void SplitModuleGraphs::hold(const Place& at, NodeId value, NodeId local, bool created)
{
    m_local[value.index()] = local;
    m_localPart[value.index()] = at.part;
    at.map.add({m_source.root, value}, {at.id, local}, created);
}

void SplitModuleGraphs::replayStates(const Place& at)
{
    for (const NodeId setter : m_replays[at.part]) {
        const Node& from = m_graph[setter];
        hold(at, setter,
             at.graph.create({.op = from.op,
                              .name = {},
                              .target = from.target,
                              .fn = from.fn,
                              .args = from.args,
                              .type = from.type,
                              .meta = from.meta}),
             true);
    }
}

/// get_attr nodes for modules follow all placeholders: a part references modules itself and does not receive them as inputs.
void SplitModuleGraphs::addInputs(const Place& at)
{
    std::vector<NodeId> modules;
    m_inputs[at.part].reserve(m_plan.inputs[at.part].size());
    for (const NodeId value : m_plan.inputs[at.part]) {
        const Node& from = m_graph[value];
        if (from.op == Op::getAttr && isModule(from)) {
            modules.push_back(value);
            continue;
        }
        const std::size_t number = m_inputs[at.part].size();
        m_inputs[at.part].push_back(value);
        const InternedString name = m_options.dropOriginalInputNames ? intern("arg_" + std::to_string(number)) : from.name;
        hold(at, value,
             at.graph.create({.op = Op::placeholder, .name = {}, .target = name, .fn = {}, .type = from.type, .meta = from.meta}),
             true);
    }
    m_attributeCounts[at.part] = modules.size();
    for (const NodeId value : modules) {
        const Node& from = m_graph[value];
        m_targets[at.part].emplace_back(from.target, from.target);
        hold(at, value, at.graph.create({.op = Op::getAttr, .name = {}, .target = from.target, .fn = {}, .meta = from.meta}),
             false);
    }
}

bool SplitModuleGraphs::isModule(const Node& attribute) const
{
    return !m_source.tensorAt(attribute.target) && m_source.modules.resolve(attribute.target.view());
}

Argument SplitModuleGraphs::translate(const Place& at, const Argument& argument, NodeId& missing) const
{
    Argument mapped = mapNodes(argument, [&](NodeId value) {
        if (m_localPart[value.index()] == at.part)
            return Argument::node(m_local[value.index()]);
        missing = value;
        return Argument();
    });
    return m_argumentsHoldGraphs ? mapGraphs(mapped, m_graphId) : mapped;
}

Result<void> SplitModuleGraphs::addCall(const Place& at, NodeId call)
{
    const Node& from = m_graph[call];
    NodeSpec spec{.op = from.op, .name = {}, .target = from.target, .fn = from.fn, .type = from.type, .meta = from.meta};
    NodeId missing;
    spec.args.reserve(from.args.size());
    for (const Argument& argument : from.args)
        spec.args.push_back(translate(at, argument, missing));
    spec.kwargs.reserve(from.kwargs.size());
    for (const Keyword& keyword : from.kwargs)
        spec.kwargs.push_back({keyword.key, translate(at, keyword.value, missing)});
    if (missing)
        return fail(ErrorCode::refused, from.name.str() + " uses " + m_graph[missing].name.str() + " before it is computed",
                    {.node = from.name.str(), .other = m_graph[missing].name.str()});
    if (m_options.keepOriginalNodeNames)
        spec.name = from.name;
    if (from.op == Op::callModule) {
        std::string flat = from.target.str();
        std::ranges::replace(flat, '.', '_');
        spec.target = intern(flat);
        m_targets[at.part].emplace_back(spec.target, from.target);
    }
    hold(at, call, at.graph.create(std::move(spec)), false);
    return {};
}

void SplitModuleGraphs::leaveStates(const Place& at)
{
    const std::vector<const StateRegion*>& exits = m_exits[at.part];
    for (auto left = exits.rbegin(); left != exits.rend(); ++left) { // clang 14 cannot compile the views of this standard library
        const StateRegion* const region = *left;
        const Node& from = m_graph[region->exit];
        const NodeId exit = at.graph.create({.op = from.op,
                                             .name = {},
                                             .target = from.target,
                                             .fn = from.fn,
                                             .args = {Argument::node(m_local[region->setter.index()])},
                                             .type = from.type,
                                             .meta = from.meta});
        at.map.add({m_source.root, region->exit}, {at.id, exit}, true);
    }
}

void SplitModuleGraphs::addOutput(const Place& at)
{
    Arguments results;
    for (const NodeId value : m_plan.outputs[at.part])
        results.push_back(Argument::node(m_local[value.index()]));
    const bool isBare = results.size() == 1 && !m_options.tupleReturn;
    Argument result = isBare ? results.front() : Argument::tuple(std::move(results));
    at.graph.create({.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {std::move(result)}});
}

} // namespace sunder
