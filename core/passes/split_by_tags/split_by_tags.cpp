#include "passes/split_by_tags/split_by_tags.h"

#include "analysis/part_names.h"
#include "analysis/tag_legality.h"
#include "ir/module_tree.h"
#include "passes/building/result_program.h"
#include "passes/building/split_assembly.h"
#include "support/flat_map.h"
#include "support/format.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

// torch.fx's split_by_tags. One pass over the graph checks the tags and finds the values that cross between parts. Each part is
// then built in one go, so that per-node tables of the source serve all parts and the cost is linear. Names depend on order, so
// parts, inputs and outputs are created in PyTorch's order. torch follows data edges only: in-place writes and changes of global
// state may be reordered. Verification detects such splits.

namespace sunder {
namespace {

/// Plan of a split by tags. Parts are numbered as in TagAssignment::order.
struct SplitPlan {
    NodeId output;                     ///< of the source
    std::vector<std::uint32_t> lastPlace; ///< per part: the last part with its name
    std::vector<std::int32_t> partOf;  ///< per NodeId: part of a call; -1 otherwise
    std::vector<NodeId> calls;         ///< grouped by part, in graph order within a part
    std::vector<std::uint32_t> begin;  ///< per part: start of its calls; one extra entry at the end
    std::vector<NodeId> placeholders;  ///< of the source, in graph order
    std::vector<NodeId> targeting;     ///< call_module and get_attr nodes, in graph order
    std::vector<NodeId> crossing;      ///< calls whose value leaves its part, by first use: in parts, then in the output

    [[nodiscard]] std::span<const NodeId> callsOf(std::size_t part) const
    {
        return std::span(calls).subspan(begin[part], begin[part + 1] - begin[part]);
    }
    [[nodiscard]] std::size_t partCount() const { return begin.size() - 1; }
};

/// Visits the nodes once, as PyTorch does, and records parts and crossing values.
class SplitPlanner {
public:
    SplitPlanner(const Graph& graph, const TagAssignment& tags, ProgressMonitor& monitor)
        : m_graph(graph), m_tags(tags), m_steps(monitor), m_isCrossing(graph.idBound(), 0)
    {
        m_plan.partOf.assign(graph.idBound(), TagAssignment::kUntagged);
    }

    Result<SplitPlan> run()
    {
        findLastPlaces();
        for (const NodeId id : m_graph.nodes())
            SUNDER_PROPAGATE(visit(id));
        if (!m_plan.output)
            return fail(ErrorCode::refused, "the graph has no output node");
        // PyTorch only uses the first argument of the output.
        const Arguments& results = m_graph.node(m_plan.output).args;
        if (!results.empty())
            forEachNode(results.front(), [this](NodeId value) {
                if (m_graph.node(value).op != Op::getAttr)
                    needOutside(value);
            });
        group();
        return std::move(m_plan);
    }

private:
    /// For a duplicate tag, the last occurrence is used.
    void findLastPlaces()
    {
        std::unordered_map<InternedString, std::uint32_t> last;
        for (std::size_t i = 0; i < m_tags.order.size(); ++i)
            last[m_tags.order[i]] = static_cast<std::uint32_t>(i);
        m_plan.lastPlace.reserve(m_tags.order.size());
        for (const InternedString tag : m_tags.order)
            m_plan.lastPlace.push_back(last[tag]);
    }

    Result<void> visit(NodeId id)
    {
        SUNDER_PROPAGATE(m_steps.step());
        const Node& node = m_graph.node(id);
        if (node.op == Op::output) {
            if (m_plan.output)
                return fail(ErrorCode::refused,
                            "the graph has two outputs: " + m_graph.node(m_plan.output).name.str() + " and " + node.name.str(),
                            {.node = node.name.str(), .other = m_graph.node(m_plan.output).name.str()});
            m_plan.output = id;
        }
        if (node.op == Op::placeholder)
            m_plan.placeholders.push_back(id);
        if (node.op == Op::callModule || node.op == Op::getAttr)
            m_plan.targeting.push_back(id);
        return node.isCall() ? visitCall(id) : Result<void>();
    }

    Result<void> visitCall(NodeId id)
    {
        const std::int32_t tag = m_tags[id];
        if (tag < 0 || static_cast<std::size_t>(tag) >= m_plan.lastPlace.size())
            return failWithoutTag(id);
        const auto part = static_cast<std::int32_t>(m_plan.lastPlace[static_cast<std::size_t>(tag)]);
        m_plan.partOf[id.index()] = part;
        m_calls.push_back(id);
        NodeId latest;
        for (const NodeId input : m_graph.inputs(id)) {
            const std::int32_t from = m_plan.partOf[input.index()];
            if (from == TagAssignment::kUntagged && !m_graph.node(input).isCall())
                continue;
            if (from == TagAssignment::kUntagged || input == id)
                return failNotComputed(id, input);
            if (!latest || from > m_plan.partOf[latest.index()])
                latest = input;
            if (from != part)
                needOutside(input);
        }
        if (latest && m_plan.partOf[latest.index()] > part)
            return failBackwards(id, latest);
        return {};
    }

    void needOutside(NodeId value)
    {
        if (!m_graph.node(value).isCall() || m_isCrossing[value.index()] != 0)
            return;
        m_isCrossing[value.index()] = 1;
        m_plan.crossing.push_back(value);
    }

    tl::unexpected<Error> failWithoutTag(NodeId id) const
    {
        const std::string name = m_graph.node(id).name.str();
        for (const auto& [stranger, tag] : m_tags.unknownTags)
            if (stranger == id)
                return fail(ErrorCode::refused,
                            name + " has the tag " + tag.str() + ", which is not among the "
                                + formatCount(m_tags.order.size(), "tag") + " of the order",
                            {.node = name, .other = tag.str()});
        std::size_t more = 0;
        for (NodeId next = m_graph.next(id); next; next = m_graph.next(next))
            more += m_graph.node(next).isCall() && m_tags[next] == TagAssignment::kUntagged ? 1 : 0;
        return fail(ErrorCode::refused,
                    name + (more > 0 ? " and " + formatCount(more, "later op") + " have" : " has")
                        + " no tag; every op needs one",
                    {.node = name});
    }

    tl::unexpected<Error> failNotComputed(NodeId id, NodeId input) const
    {
        const std::string name = m_graph.node(id).name.str();
        const std::string other = m_graph.node(input).name.str();
        return fail(ErrorCode::refused, name + " uses " + other + " before it is computed", {.node = name, .other = other});
    }

    tl::unexpected<Error> failBackwards(NodeId id, NodeId input) const
    {
        const BackwardEdge edge{input, id, m_plan.partOf[input.index()], m_plan.partOf[id.index()]};
        return fail(ErrorCode::refused, describe(edge, m_graph, m_tags),
                    {.node = m_graph.node(id).name.str(), .other = m_graph.node(input).name.str()});
    }

    void group()
    {
        m_plan.begin.assign(m_tags.order.size() + 1, 0);
        for (const NodeId id : m_calls)
            ++m_plan.begin[static_cast<std::size_t>(m_plan.partOf[id.index()]) + 1];
        for (std::size_t i = 1; i < m_plan.begin.size(); ++i)
            m_plan.begin[i] += m_plan.begin[i - 1];
        std::vector<std::uint32_t> next(m_plan.begin.begin(), m_plan.begin.end() - 1);
        m_plan.calls.resize(m_calls.size());
        for (const NodeId id : m_calls)
            m_plan.calls[next[static_cast<std::size_t>(m_plan.partOf[id.index()])]++] = id;
    }

    const Graph& m_graph;
    const TagAssignment& m_tags;
    StepMonitor m_steps;
    SplitPlan m_plan;
    std::vector<NodeId> m_calls;           ///< in graph order
    std::vector<char> m_isCrossing;        ///< per NodeId
};

/// Performs the checks of PyTorch's split_by_tags and groups the calls. Refuses the first invalid node in graph order: no tag, a
/// tag that is not in the order, an input from a later tag, an input that is not computed yet, a second output or none. O(nodes +
/// arguments).
Result<SplitPlan> planSplit(const Graph& graph, const TagAssignment& tags, ProgressMonitor& monitor)
{
    return SplitPlanner(graph, tags, monitor).run();
}

/// Builds the graphs of a split: the parts, then the main graph that calls them. Names, placeholders, metadata and order equal
/// those of PyTorch's split_by_tags. Linear in the source over all parts together.
class TagSplitter {
public:
    TagSplitter(const Program& source, const TagAssignment& tags, const SplitPlan& plan, const SplitOptions& options);

    Result<SplitResult> run(ProgressMonitor& monitor);

private:
    Result<void> buildPart(std::size_t part, StepMonitor& steps);
    NodeId inPart(NodeId value, std::size_t part);
    void buildMain();
    [[nodiscard]] Result<void> checkAttributeNames() const;
    [[nodiscard]] std::vector<InternedString> pathsOf(std::size_t part) const;
    void noteNames(std::span<const InternedString> targets, std::span<const InternedString> paths);
    void addModules();

    const Graph& m_graph;
    const TagAssignment& m_tags;
    const SplitPlan& m_plan;
    bool m_keepsSignature;
    SplitAssembly m_split;
    std::vector<std::vector<InternedString>> m_targets; ///< per part: of its call_module and get_attr nodes, in node order
    std::vector<std::vector<NodeId>> m_inputs; ///< per part: values of the source that are its placeholders
    std::vector<std::vector<NodeId>> m_outputs; ///< per part: values of the source that it returns
    /// Attributes that the output reads directly: (name in the main graph, target in the source).
    std::vector<std::pair<InternedString, InternedString>> m_outputAttributes;
    FlatMap<std::uint32_t> m_nameOf; ///< target → index into fqnMap
};

TagSplitter::TagSplitter(const Program& source, const TagAssignment& tags, const SplitPlan& plan, const SplitOptions& options)
    : m_graph(source.rootGraph()), m_tags(tags), m_plan(plan), m_keepsSignature(options.keepSignature),
      m_split(source, {.returnsTuple = options.returnTuple}, tags.order, plan.lastPlace), m_targets(plan.partCount()),
      m_inputs(plan.partCount()), m_outputs(plan.partCount())
{
    for (const NodeId value : plan.crossing)
        m_outputs[static_cast<std::size_t>(plan.partOf[value.index()])].push_back(value);
    TagTable& table = m_split.program().tags.emplace(TagTable{.order = tags.order, .colors = {}});
    if (source.tags)
        table.colors = source.tags->colors;
    std::size_t targets = 0;
    for (const NodeId id : plan.targeting)
        targets += m_graph[id].userCount() > 0 ? 1 : 0;
    m_nameOf.reserve(targets);
    m_split.fqnMap().reserve(targets);
}

Result<SplitResult> TagSplitter::run(ProgressMonitor& monitor)
{
    SUNDER_PROPAGATE(
        m_split.buildParts([this](std::size_t part, StepMonitor& steps) { return buildPart(part, steps); }, monitor));
    buildMain();
    SUNDER_PROPAGATE(checkAttributeNames());
    return m_split.finish([this] { addModules(); }, monitor);
}

Result<void> TagSplitter::buildPart(std::size_t part, StepMonitor& steps)
{
    const std::span<const NodeId> calls = m_plan.callsOf(part);
    Graph& graph = m_split.part().graph();
    graph.reserve(calls.size() + calls.size() / 4 + 8);
    // Placeholders and attributes are created in order of use: args before kwargs.
    const auto local = [this, part](NodeId value) { return Argument::node(inPart(value, part)); };
    for (const NodeId call : calls) {
        SUNDER_PROPAGATE(steps.step());
        graph.setTag(m_split.part().addOp(call, local), m_tags.order[part]);
        if (m_graph[call].op == Op::callModule)
            m_targets[part].push_back(m_graph[call].target);
    }
    m_split.part().addOutput(m_outputs[part]);
    return {};
}

NodeId TagSplitter::inPart(NodeId value, std::size_t part)
{
    if (const NodeId local = m_split.part().find(value))
        return local;
    const Node& from = m_graph[value];
    if (from.op == Op::getAttr) {
        m_targets[part].push_back(from.target);
        return m_split.part().addAttribute(value);
    }
    m_inputs[part].push_back(value);
    return m_split.part().addInput(value, from.name);
}

void TagSplitter::buildMain()
{
    SubgraphBuilder& main = m_split.main();
    for (const NodeId source : m_plan.placeholders) {
        const Node& from = m_graph[source];
        NodeSpec spec{.op = Op::placeholder, .name = {}, .target = from.name, .fn = {}, .type = from.type, .meta = from.meta};
        if (m_keepsSignature) {
            spec.name = candidateName(Op::placeholder, from.name, {});
            spec.target = from.target;
            spec.args = from.args;
        }
        main.add(source, std::move(spec));
    }
    const Arguments& given = m_graph[m_plan.output].args;
    const Argument results = given.empty() ? Argument() : given.front();
    // Creates one attribute for each occurrence in the output; all occurrences then read the last one.
    forEachNode(results, [&](NodeId source) {
        const Node& from = m_graph[source];
        if (from.op != Op::getAttr)
            return;
        main.add(source, {.op = Op::getAttr, .name = {}, .target = from.name, .fn = {}, .type = from.type});
        m_outputAttributes.emplace_back(from.name, from.target);
    });
    for (std::size_t part = 0; part < m_plan.partCount(); ++part)
        main.addCall(m_tags.order[part], m_inputs[part], m_outputs[part]);
    const auto held = [&main](NodeId source) { return Argument::node(main.find(source)); };
    main.add(m_plan.output,
             {.op = Op::output, .name = {}, .target = intern("output"), .fn = {}, .args = {main.translate(results, held)}});
}

/// Returns the paths of a part's targets in the result.
std::vector<InternedString> TagSplitter::pathsOf(std::size_t part) const
{
    std::vector<InternedString> paths;
    paths.reserve(m_targets[part].size());
    for (const InternedString target : m_targets[part])
        paths.push_back(internPath(m_tags.order[part].view(), target.view()));
    return paths;
}

void TagSplitter::noteNames(std::span<const InternedString> targets, std::span<const InternedString> paths)
{
    auto& fqnMap = m_split.fqnMap();
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const auto [at, isNew] = m_nameOf.emplace(targets[i], static_cast<std::uint32_t>(fqnMap.size()));
        if (isNew)
            fqnMap.emplace_back(targets[i], InternedString());
        fqnMap[at].second = paths[i];
    }
}

/// torch registers attributes that the output reads next to the parts, under the names of their nodes.
Result<void> TagSplitter::checkAttributeNames() const
{
    for (const auto& [name, target] : m_outputAttributes)
        if (std::ranges::find(m_tags.order, name) != m_tags.order.end())
            return fail(ErrorCode::refused,
                        "the tag \"" + name.str() + "\" cannot name a part: the output reads an attribute with that name ("
                            + target.str() + ")",
                        {.node = name.str(), .other = name.str()});
    return {};
}

void TagSplitter::addModules()
{
    std::unordered_set<InternedString> carried;
    for (const auto& [name, target] : m_outputAttributes)
        if (carried.insert(name).second)
            m_split.carrier().carryAttribute(target, ModuleTree::root(), name);
    Program& program = m_split.program();
    for (std::size_t part = 0; part < m_plan.partCount(); ++part) {
        const std::size_t last = m_plan.lastPlace[part];
        const std::vector<InternedString> paths = pathsOf(last);
        if (last == part)
            noteNames(m_targets[part], paths);
        const ModuleId owner = program.modules.ensureChild(ModuleTree::root(), m_tags.order[part]);
        if (program.modules[owner].graph)
            continue;
        program.modules[owner].cls = intern("torch.fx.graph_module.GraphModule");
        program.modules[owner].graph = m_split.graphOf(part);
        program.owners[m_split.graphOf(part).index()] = owner;
        m_split.carrier().carryTargets(m_targets[last], paths, owner);
    }
}

/// Refuses the first tag that cannot name a submodule of the result.
Result<void> checkNames(const std::vector<InternedString>& order)
{
    for (const InternedString tag : order)
        if (const std::optional<std::string> why = whyNoModuleName(tag.view()); why)
            return fail(ErrorCode::refused, "the tag \"" + tag.str() + "\" cannot name a part: " + *why, {.other = tag.str()});
    return {};
}

} // namespace

Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options,
                                ProgressMonitor& monitor)
{
    SUNDER_TRY(const SplitPlan plan, planSplit(source.rootGraph(), tags, monitor));
    SUNDER_PROPAGATE(checkNames(tags.order));
    SUNDER_PROPAGATE(checkTargets(source, plan.targeting));
    return TagSplitter(source, tags, plan, options).run(monitor);
}

} // namespace sunder
