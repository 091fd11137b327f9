#include "passes/split_by_tags/split_graphs.h"

#include "ir/getitem.h"

namespace sunder {
namespace {

constexpr std::uint32_t kNoPart = 0xffffffffU;
} // namespace

SplitGraphs::SplitGraphs(const Program& source, const TagAssignment& tags, const SplitPlan& plan, Options options,
                         GraphIdMap graphId)
    : m_source(source), m_graph(source.rootGraph()), m_tags(tags), m_plan(plan), m_options(options),
      m_graphId(std::move(graphId)), m_copy(m_graph.idBound()), m_local(m_graph.idBound()),
      m_localPart(m_graph.idBound(), kNoPart), m_main(m_graph.idBound()), m_targets(plan.partCount()), m_inputs(plan.partCount()),
      m_outputs(plan.partCount())
{
    for (const NodeId value : plan.crossing)
        m_outputs[static_cast<std::size_t>(plan.partOf[value.index()])].push_back(value);
}

template <typename NodeOf>
Argument SplitGraphs::translate(const Argument& argument, const NodeOf& nodeOf) const
{
    if (argument.is(ArgumentKind::node))
        return Argument::node(nodeOf(argument.asNode()));
    if (argument.is(ArgumentKind::graph))
        return Argument::graph(m_graphId(argument.asGraph()));
    if (!argument.isCompound() || (!argument.holdsNodes() && !m_options.argumentsHoldGraphs))
        return argument;
    Arguments items;
    items.reserve(argument.items().size());
    for (const Argument& item : argument.items())
        items.push_back(translate(item, nodeOf));
    return argument.withItems(std::move(items));
}

void SplitGraphs::buildPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps)
{
    const std::span<const NodeId> calls = m_plan.callsOf(part);
    graph.reserve(calls.size() + calls.size() / 4 + 8);
    const auto nodeOf = [&](NodeId value) { return inPart(value, part, graph, id, map); };
    for (const NodeId call : calls) {
        if (!steps.shouldContinue())
            return;
        const Node& from = m_graph.node(call);
        // Placeholders and attributes are created in order of use: args before kwargs.
        Arguments args;
        args.reserve(from.args.size());
        for (const Argument& argument : from.args)
            args.push_back(translate(argument, nodeOf));
        Keywords kwargs;
        kwargs.reserve(from.kwargs.size());
        for (const Keyword& keyword : from.kwargs)
            kwargs.push_back({keyword.key, translate(keyword.value, nodeOf)});
        const NodeId copy = graph.copy(m_graph, call, std::move(args), std::move(kwargs));
        graph.setTag(copy, m_tags.order[part]);
        if (from.op == Op::callModule)
            m_targets[part].push_back(from.target);
        m_copy[call.index()] = copy;
        map.add(sourceRef(call), {id, copy});
    }
    Arguments results;
    for (const NodeId value : m_outputs[part])
        results.push_back(Argument::node(m_copy[value.index()]));
    const bool isBare = results.size() == 1 && !m_options.returnTuple;
    Argument result = isBare ? results.front() : Argument::tuple(std::move(results));
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {std::move(result)}});
}

NodeId SplitGraphs::inPart(NodeId value, std::size_t part, Graph& graph, GraphId id, IdentityMap& map)
{
    if (m_plan.partOf[value.index()] == static_cast<std::int32_t>(part))
        return m_copy[value.index()];
    if (m_localPart[value.index()] == part)
        return m_local[value.index()];
    const Node& from = m_graph.node(value);
    const bool isAttribute = from.op == Op::getAttr;
    const NodeId local = graph.create({.op = isAttribute ? Op::getAttr : Op::placeholder,
                                       .name = {},
                                       .target = isAttribute ? from.target : from.name,
                                       .fn = {},
                                       .type = from.type,
                                       .meta = from.meta});
    if (isAttribute)
        m_targets[part].push_back(from.target);
    else
        m_inputs[part].push_back(value);
    m_local[value.index()] = local;
    m_localPart[value.index()] = static_cast<std::uint32_t>(part);
    map.add(sourceRef(value), {id, local}, !isAttribute);
    return local;
}

void SplitGraphs::buildMain(Graph& graph, GraphId id, IdentityMap& map)
{
    for (const NodeId source : m_plan.placeholders) {
        const Node& from = m_graph.node(source);
        NodeSpec spec{.op = Op::placeholder, .name = {}, .target = from.name, .fn = {}, .type = from.type, .meta = from.meta};
        if (m_options.keepSignature) {
            spec.name = candidateName(Op::placeholder, from.name, {});
            spec.target = from.target;
            spec.args = from.args;
        }
        m_main[source.index()] = graph.create(std::move(spec));
        map.add(sourceRef(source), {id, m_main[source.index()]});
    }
    const Arguments& given = m_graph.node(m_plan.output).args;
    const Argument results = given.empty() ? Argument() : given.front();
    // Creates one attribute for each occurrence in the output; all occurrences then read the last one.
    forEachNode(results, [&](NodeId source) {
        const Node& from = m_graph.node(source);
        if (from.op != Op::getAttr)
            return;
        m_main[source.index()] = graph.create({.op = Op::getAttr, .name = {}, .target = from.name, .fn = {}, .type = from.type});
        map.add(sourceRef(source), {id, m_main[source.index()]});
        m_outputAttributes.emplace_back(from.name, from.target);
    });
    for (std::size_t part = 0; part < m_plan.partCount(); ++part)
        callPart(part, graph, id, map);
    const NodeId output = graph.create(
        {.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {translate(results, [this](NodeId source) {
                                                                                 return m_main[source.index()];
                                                                             })}});
    map.add(sourceRef(m_plan.output), {id, output});
}

void SplitGraphs::callPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map)
{
    Arguments args;
    for (const NodeId value : m_inputs[part])
        args.push_back(Argument::node(m_main[value.index()]));
    const NodeId call = graph.create({.op = Op::callModule,
                                      .name = {},
                                      .target = m_tags.order[part],
                                      .fn = {},
                                      .args = std::move(args),
                                      .meta = metaWithValue(valueOfPart(part))});
    const std::vector<NodeId>& outputs = m_outputs[part];
    if (outputs.size() == 1 && !m_options.returnTuple) {
        m_main[outputs.front().index()] = call;
        map.add(sourceRef(outputs.front()), {id, call}, true);
        return;
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        NodeSpec spec = getitemSpec(call, i);
        spec.meta = metaWithValue(m_graph.node(outputs[i]).meta.val);
        const NodeId item = graph.create(std::move(spec));
        m_main[outputs[i].index()] = item;
        map.add(sourceRef(outputs[i]), {id, item}, true);
    }
}

std::optional<Argument> SplitGraphs::valueOfPart(std::size_t part) const
{
    Arguments values;
    for (const NodeId value : m_outputs[part]) {
        if (!m_graph.node(value).meta.val)
            return std::nullopt;
        values.push_back(*m_graph.node(value).meta.val);
    }
    if (values.size() == 1 && !m_options.returnTuple)
        return values.front();
    return Argument::tuple(std::move(values));
}

} // namespace sunder
