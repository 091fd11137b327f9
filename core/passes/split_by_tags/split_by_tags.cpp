#include "passes/split_by_tags/split_by_tags.h"

#include "analysis/part_names.h"
#include "ir/getitem.h"
#include "ir/graph_values.h"
#include "ir/identity_map.h"
#include "ir/module_tree.h"
#include "passes/building/module_carrier.h"
#include "passes/building/result_program.h"
#include "passes/split_by_tags/split_plan.h"
#include "support/flat_map.h"
#include "support/step_monitor.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

// torch.fx's split_by_tags. One pass over the graph checks the tags and finds the values that cross between parts. Each part is
// then built in one go, so that per-node tables of the source serve all parts and the cost is linear. Names depend on order, so
// parts, inputs and outputs are created in torch's order. torch follows data edges only: in-place writes and changes of global
// state may be reordered. Verification detects such splits.

namespace sunder {
namespace {

/// Builds the graphs of a split: the parts, then the main graph that calls them. Names, placeholders, metadata and order equal
/// those of torch's split_by_tags. Linear in the source over all parts together.
class SplitGraphs {
public:
    /// Maps a graph id of the source to the result; for arguments that hold graphs.
    using GraphIdMap = std::function<GraphId(GraphId)>;

    struct Options {
        bool returnTuple = false;
        bool keepSignature = false;
        bool argumentsHoldGraphs = false; ///< false: arguments without nodes are shared without inspection
    };

    SplitGraphs(const Program& source, const TagAssignment& tags, const SplitPlan& plan, Options options, GraphIdMap graphId);

    /// Fills the graph of a part, and maps its nodes in `map` under `id`. `steps` counts calls; the graph is incomplete if they
    /// are stopped.
    void buildPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map, StepMonitor& steps);
    /// Fills the main graph. Call after all parts are built.
    void buildMain(Graph& graph, GraphId id, IdentityMap& map);

    /// Attributes that the output reads directly: (name in the main graph, target in the source).
    [[nodiscard]] const std::vector<std::pair<InternedString, InternedString>>& outputAttributes() const
    {
        return m_outputAttributes;
    }
    /// Targets of call_module and get_attr nodes in a part, in node order.
    [[nodiscard]] const std::vector<InternedString>& targets(std::size_t part) const { return m_targets[part]; }
    /// Per NodeId of the source: the main-graph node that holds its value; invalid if there is none.
    [[nodiscard]] const std::vector<NodeId>& mainNodes() const { return m_main; }

private:
    template <typename NodeOf>
    Argument translate(const Argument& argument, const NodeOf& nodeOf) const;
    NodeId inPart(NodeId value, std::size_t part, Graph& graph, GraphId id, IdentityMap& map);
    void callPart(std::size_t part, Graph& graph, GraphId id, IdentityMap& map);
    [[nodiscard]] std::optional<Argument> valueOfPart(std::size_t part) const;
    [[nodiscard]] NodeRef sourceRef(NodeId id) const { return {m_source.root, id}; }

    const Program& m_source;
    const Graph& m_graph;
    const TagAssignment& m_tags;
    const SplitPlan& m_plan;
    Options m_options;
    GraphIdMap m_graphId;
    std::vector<NodeId> m_copy; ///< per NodeId of a call: its copy in its part
    std::vector<NodeId> m_local; ///< per NodeId: placeholder or attribute in the part of m_localPart
    std::vector<std::uint32_t> m_localPart;
    std::vector<NodeId> m_main;
    std::vector<std::vector<InternedString>> m_targets; ///< per part
    std::vector<std::vector<NodeId>> m_inputs; ///< per part: values of the source that are its placeholders
    std::vector<std::vector<NodeId>> m_outputs; ///< per part: values of the source that it returns
    std::vector<std::pair<InternedString, InternedString>> m_outputAttributes;
};

constexpr std::uint32_t kNoPart = 0xffffffffU;

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

/// Refuses the first tag that cannot name a submodule of the result.
Result<void> checkNames(const std::vector<InternedString>& order)
{
    for (const InternedString tag : order)
        if (const std::optional<std::string> why = whyNoModuleName(tag.view()); why)
            return fail(ErrorCode::refused, "the tag \"" + tag.str() + "\" cannot name a part: " + *why, {.other = tag.str()});
    return {};
}

class Splitter {
public:
    Splitter(const Program& source, const TagAssignment& tags, const SplitPlan& plan, const SplitOptions& options)
        : m_source(source), m_tags(tags), m_plan(plan), m_carrier(source, m_result.program, m_result.map),
          m_graphs(source, tags, plan,
                   {.returnTuple = options.returnTuple,
                    .keepSignature = options.keepSignature,
                    .argumentsHoldGraphs = argumentsHoldGraphs(source)},
                   [this](GraphId id) { return m_carrier.carryGraph(id); })
    {
    }

    Result<SplitResult> run(ProgressMonitor& monitor)
    {
        const auto cancelled = [] { return fail(ErrorCode::cancelled, "cancelled while splitting"); };
        begin();
        StepMonitor steps(monitor);
        Graph main;
        std::vector<Graph> parts(m_plan.partCount());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (monitor.isCancelled())
                return cancelled();
            monitor.report(static_cast<double>(i) / static_cast<double>(parts.size()), m_tags.order[i].view());
            if (m_partOfTag[m_tags.order[i]] != i)
                continue;
            m_graphs.buildPart(i, parts[i], m_result.parts[i], m_result.map, steps);
        }
        if (monitor.isCancelled())
            return cancelled();
        m_graphs.buildMain(main, GraphId(0U), m_result.map);
        SUNDER_PROPAGATE(checkAttributeNames());
        place(std::move(main), std::move(parts));
        if (monitor.isCancelled())
            return cancelled();
        m_result.map.finish();
        return std::move(m_result);
    }

private:
    /// Reserves the first graph ids for the main graph and the parts; carried graphs follow. Of two parts with one name only the
    /// later one becomes a module, as in torch; the main graph calls it in both places.
    void begin()
    {
        Program& program = m_result.program;
        program.origin = resultOrigin(m_source);
        program.operators = m_source.operators;
        program.fileHints = m_source.fileHints;
        program.stacks = m_source.stacks;
        program.ranges = m_source.ranges;
        program.tags = TagTable{.order = m_tags.order, .colors = {}};
        if (m_source.tags)
            program.tags->colors = m_source.tags->colors;
        program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
        program.graphs.reserve(m_plan.partCount() + 1);
        program.addGraph(ModuleTree::root());
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            m_partOfTag[m_tags.order[i]] = i;
        m_result.partNames = m_tags.order;
        m_result.parts.resize(m_plan.partCount());
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            if (m_partOfTag[m_tags.order[i]] == i)
                m_result.parts[i] = program.addGraph({});
        for (std::size_t i = 0; i < m_plan.partCount(); ++i)
            m_result.parts[i] = m_result.parts[m_partOfTag[m_tags.order[i]]];
        m_result.map.reserve(m_source.rootGraph().size() * 2);
        std::size_t targets = 0;
        for (const NodeId id : m_plan.targeting)
            targets += m_source.rootGraph().node(id).userCount() > 0 ? 1 : 0;
        m_nameOf.reserve(targets);
        m_result.fqnMap.reserve(targets);
    }

    /// Returns the paths of a part's targets in the result.
    [[nodiscard]] std::vector<InternedString> pathsOf(std::size_t part) const
    {
        std::vector<InternedString> paths;
        paths.reserve(m_graphs.targets(part).size());
        for (const InternedString target : m_graphs.targets(part))
            paths.push_back(internPath(m_tags.order[part].view(), target.view()));
        return paths;
    }

    void noteNames(std::span<const InternedString> targets, std::span<const InternedString> paths)
    {
        for (std::size_t i = 0; i < targets.size(); ++i) {
            const auto [at, isNew] = m_nameOf.emplace(targets[i], static_cast<std::uint32_t>(m_result.fqnMap.size()));
            if (isNew)
                m_result.fqnMap.emplace_back(targets[i], InternedString());
            m_result.fqnMap[at].second = paths[i];
        }
    }

    /// torch registers attributes that the output reads next to the parts, under the names of their nodes.
    Result<void> checkAttributeNames() const
    {
        for (const auto& [name, target] : m_graphs.outputAttributes())
            if (m_partOfTag.contains(name))
                return fail(ErrorCode::refused,
                            "the tag \"" + name.str() + "\" cannot name a part: the output reads an attribute with that name ("
                                + target.str() + ")",
                            {.node = name.str(), .other = name.str()});
        return {};
    }

    void place(Graph main, std::vector<Graph> parts)
    {
        Program& program = m_result.program;
        if (m_source.signature)
            m_carrier.carryAllTensors();
        std::unordered_set<InternedString> carried;
        for (const auto& [name, target] : m_graphs.outputAttributes())
            if (carried.insert(name).second)
                m_carrier.carryAttribute(target, ModuleTree::root(), name);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const std::size_t last = m_partOfTag[m_tags.order[i]];
            const std::vector<InternedString> paths = pathsOf(last);
            if (last == i)
                noteNames(m_graphs.targets(i), paths);
            const ModuleId owner = program.modules.ensureChild(ModuleTree::root(), m_tags.order[i]);
            if (program.modules[owner].graph)
                continue;
            program.modules[owner].cls = intern("torch.fx.graph_module.GraphModule");
            program.modules[owner].graph = m_result.parts[i];
            program.owners[m_result.parts[i].index()] = owner;
            m_carrier.carryTargets(m_graphs.targets(last), paths, owner);
        }
        m_carrier.finish();
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (m_partOfTag[m_tags.order[i]] == i)
                program.graph(m_result.parts[i]) = std::move(parts[i]);
        program.graphs[0] = std::move(main);
        carrySignature(m_source, m_graphs.mainNodes(), program);
    }

    const Program& m_source;
    const TagAssignment& m_tags;
    const SplitPlan& m_plan;
    SplitResult m_result;
    ModuleCarrier m_carrier;
    SplitGraphs m_graphs;
    FlatMap<std::uint32_t> m_nameOf; ///< target → index into fqnMap
    std::unordered_map<InternedString, std::size_t> m_partOfTag; ///< name → last part with that name
};

} // namespace

Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options,
                                ProgressMonitor& monitor)
{
    SUNDER_TRY(const SplitPlan plan, planSplit(source.rootGraph(), tags, monitor));
    SUNDER_PROPAGATE(checkNames(tags.order));
    SUNDER_PROPAGATE(checkTargets(source, plan.targeting));
    return Splitter(source, tags, plan, options).run(monitor);
}

} // namespace sunder
