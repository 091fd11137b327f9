#include "passes/split_module/part_graphs.h"

#include "ir/graph_values.h"

#include <algorithm>
#include <string>

namespace sunder {

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
