#include "passes/split_module/split_graphs.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace sunder {

SplitModuleGraphs::SplitModuleGraphs(const Program& source, const SplitModulePlan& plan, const SplitModuleOptions& options,
                                     SplitAssembly& split)
    : m_source(source), m_graph(source.rootGraph()), m_plan(plan), m_options(options), m_split(split), m_part(split.part()),
      m_base(split.main()), m_replays(plan.size()), m_exits(plan.size()), m_inputs(plan.size()), m_targets(plan.size()),
      m_attributeCounts(plan.size(), 0)
{
    for (const std::vector<StateRegion>* regions : {&plan.regions.autocast, &plan.regions.grad})
        for (const StateRegion& region : *regions)
            for (std::uint32_t part = region.first + 1; part <= region.last; ++part)
                m_replays[part].push_back(region.setter);
    for (const StateRegion& region : plan.regions.autocast)
        for (std::uint32_t part = region.first; part < region.last; ++part)
            m_exits[part].push_back(&region);
}

Result<void> SplitModuleGraphs::buildPart(std::uint32_t part, StepMonitor& steps)
{
    const std::span<const NodeId> calls = m_plan.callsOf(part);
    m_part.graph().reserve(calls.size() + m_plan.inputs[part].size() + m_replays[part].size() + m_exits[part].size() + 1);
    replayStates(part);
    addInputs(part);
    for (const NodeId call : calls) {
        SUNDER_PROPAGATE(steps.step());
        SUNDER_PROPAGATE(addCall(part, call));
    }
    leaveStates(part);
    m_part.addOutput(m_plan.outputs[part]);
    return {};
}

void SplitModuleGraphs::replayStates(std::uint32_t part)
{
    for (const NodeId setter : m_replays[part]) {
        const Node& from = m_graph[setter];
        m_part.add(setter,
                   {.op = from.op,
                    .name = {},
                    .target = from.target,
                    .fn = from.fn,
                    .args = from.args,
                    .type = from.type,
                    .meta = from.meta},
                   SubgraphBuilder::Role::carrier);
    }
}

/// get_attr nodes for modules follow all placeholders: a part references modules itself and does not receive them as inputs.
void SplitModuleGraphs::addInputs(std::uint32_t part)
{
    std::vector<NodeId> modules;
    m_inputs[part].reserve(m_plan.inputs[part].size());
    for (const NodeId value : m_plan.inputs[part]) {
        const Node& from = m_graph[value];
        if (from.op == Op::getAttr && isModule(from)) {
            modules.push_back(value);
            continue;
        }
        const std::size_t number = m_inputs[part].size();
        m_inputs[part].push_back(value);
        m_part.addInput(value, m_options.dropOriginalInputNames ? intern("arg_" + std::to_string(number)) : from.name);
    }
    m_attributeCounts[part] = modules.size();
    for (const NodeId value : modules) {
        const Node& from = m_graph[value];
        m_targets[part].emplace_back(from.target, from.target);
        m_part.add(value, {.op = Op::getAttr, .name = {}, .target = from.target, .fn = {}, .meta = from.meta});
    }
}

bool SplitModuleGraphs::isModule(const Node& attribute) const
{
    return !m_source.tensorAt(attribute.target) && m_source.modules.resolve(attribute.target.view());
}

Result<void> SplitModuleGraphs::addCall(std::uint32_t part, NodeId call)
{
    const Node& from = m_graph[call];
    NodeId missing;
    NodeSpec spec = m_part.copyOf(call, [&](NodeId value) {
        if (const NodeId local = m_part.find(value))
            return Argument::node(local);
        missing = value;
        return Argument();
    });
    if (missing)
        return fail(ErrorCode::refused, from.name.str() + " uses " + m_graph[missing].name.str() + " before it is computed",
                    {.node = from.name.str(), .other = m_graph[missing].name.str()});
    if (from.op == Op::callModule) {
        std::string flat = from.target.str();
        std::ranges::replace(flat, '.', '_');
        spec.target = intern(flat);
        m_targets[part].emplace_back(spec.target, from.target);
    }
    m_part.add(call, std::move(spec));
    return {};
}

void SplitModuleGraphs::leaveStates(std::uint32_t part)
{
    const std::vector<const StateRegion*>& exits = m_exits[part];
    for (auto left = exits.rbegin(); left != exits.rend(); ++left) { // clang 14 cannot compile the views of this standard library
        const StateRegion* const region = *left;
        const Node& from = m_graph[region->exit];
        m_part.add(region->exit,
                   {.op = from.op,
                    .name = {},
                    .target = from.target,
                    .fn = from.fn,
                    .args = {Argument::node(m_part.find(region->setter))},
                    .type = from.type,
                    .meta = from.meta},
                   SubgraphBuilder::Role::carrier);
    }
}

/// With keepOriginalOrder, attributes are created at their first use; otherwise all inputs and attributes come first.
Result<void> SplitModuleGraphs::buildBase(std::span<const std::uint32_t> order)
{
    const bool lazily = m_options.keepOriginalOrder && !order.empty();
    std::size_t items = 0;
    for (const std::uint32_t part : order)
        items += m_plan.outputs[part].size();
    m_base.graph().reserve(m_plan.entering.size() + order.size() + items + m_plan.ends.size());
    m_registered.reserve(m_plan.entering.size() + order.size());
    for (const NodeId source : m_plan.entering)
        if (!lazily || m_graph[source].op == Op::placeholder)
            carry(source);
    for (std::uint32_t place = 0; place < order.size(); ++place)
        SUNDER_PROPAGATE(callPart(order[place], place));
    SUNDER_PROPAGATE(checkNames(order));
    if (lazily && std::ranges::none_of(m_base.nodes(), [](NodeId node) { return node.isValid(); }))
        for (const NodeId source : m_plan.entering)
            carry(source);
    for (const NodeId source : m_plan.ends)
        SUNDER_PROPAGATE(addResult(source));
    return {};
}

/// torch lets an attribute replace a partition that was called earlier; its result cannot run.
Result<void> SplitModuleGraphs::checkNames(std::span<const std::uint32_t> order) const
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

void SplitModuleGraphs::carry(NodeId source)
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
    m_base.add(source, std::move(spec));
}

Result<void> SplitModuleGraphs::callPart(std::uint32_t part, std::uint32_t place)
{
    for (const NodeId value : m_inputs[part])
        if (!m_base.find(value) && m_graph[value].op == Op::getAttr)
            carry(value);
    for (const NodeId value : m_inputs[part])
        if (!m_base.find(value))
            return fail(ErrorCode::refused,
                        "partition " + m_plan.ids[part].text.str() + " needs " + m_graph[value].name.str() + " of partition "
                            + m_plan.ids[m_plan.partOf[value.index()]].text.str()
                            + ", which comes after it in the original order; do not keep that order",
                        {.node = m_graph[value].name.str(), .other = m_plan.ids[part].text.str()});
    m_registered.emplace_back(m_split.partNames()[place], place);
    m_base.addCall(m_split.partNames()[place], m_inputs[part], m_plan.outputs[part]);
    return {};
}

Result<void> SplitModuleGraphs::addResult(NodeId source)
{
    const Arguments& given = m_graph[source].args;
    NodeId missing;
    Argument result = m_base.translate(given.empty() ? Argument() : given.front(), [&](NodeId value) {
        if (const NodeId held = m_base.find(value))
            return Argument::node(held);
        missing = value;
        return Argument();
    });
    if (missing)
        return fail(ErrorCode::refused,
                    "the output reads " + m_graph[missing].name.str() + " (" + m_graph[missing].target.str()
                        + "), which no partition reads; do not keep the original order",
                    {.node = m_graph[missing].name.str()});
    m_base.add(source, {.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {std::move(result)}});
    return {};
}

} // namespace sunder
