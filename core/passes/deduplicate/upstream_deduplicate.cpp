#include "passes/deduplicate/upstream_deduplicate.h"

#include "ir/getitem.h"
#include "ir/graph.h"
#include "ir/value_kind.h"
#include "passes/building/result_program.h"
#include "passes/deduplicate/replacement.h"
#include "passes/deduplicate/upstream_subgraph.h"
#include "support/flat_map.h"
#include "support/result.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

// PyTorch's deduplication, step by step on a copy of the graph, because each group sees the changes made by earlier ones. Per
// group: create a subgraph from its first region. Per region: append a call and a getitem per result, then erase the region's
// nodes. Finally, sort stably and topologically. Sunder's own deduplication (deduplicate.cpp) plans before it changes
// anything.

namespace sunder {
namespace {

/// PyTorch's node_to_additional_deps: for each node, the ordered set of nodes that must run before it. Covers users of values that
/// a node writes to, and all nodes around entering and leaving autocast. The order of each set is PyTorch's, because PyTorch's sort
/// depends on it.
class UpstreamDependencies {
public:
    /// Refuses a graph with so many autocast nodes that the sets would exceed 200 million entries.
    static Result<UpstreamDependencies> of(const Graph& graph);

    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t node) const
    {
        return node < m_sets.size() ? std::span<const std::uint32_t>(m_sets[node]) : std::span<const std::uint32_t>();
    }
    /// Replaces an erased node by `call`: removes its set, and in all other sets removes it and appends `call`. O(size of those
    /// sets).
    void replace(std::uint32_t node, std::uint32_t call);

private:
    void add(std::uint32_t node, std::uint32_t needed);
    void addWrites(const Graph& graph);
    void addAutocast(const Graph& graph);

    std::vector<std::vector<std::uint32_t>> m_sets; ///< per node
    std::vector<std::vector<std::uint32_t>> m_holders; ///< per node: the nodes whose sets contain it, or did
};

constexpr std::size_t kMaxEntries = 200'000'000;

bool isAutocast(const Node& node)
{
    return node.op == Op::callFunction
        && (node.target.view() == "torch.amp.autocast_mode._enter_autocast"
            || node.target.view() == "torch.amp.autocast_mode._exit_autocast");
}

Result<UpstreamDependencies> UpstreamDependencies::of(const Graph& graph)
{
    std::size_t autocasts = 0;
    for (const NodeId id : graph.nodes())
        autocasts += isAutocast(graph.node(id)) ? 1 : 0;
    if (autocasts * graph.size() > kMaxEntries)
        return fail(ErrorCode::refused,
                    "PyTorch's method needs too much memory for " + std::to_string(autocasts) + " autocast nodes among "
                        + std::to_string(graph.size()) + "; leave out --as-upstream");
    UpstreamDependencies dependencies;
    dependencies.m_sets.resize(graph.idBound());
    dependencies.m_holders.resize(graph.idBound());
    dependencies.addWrites(graph);
    dependencies.addAutocast(graph);
    return dependencies;
}

void UpstreamDependencies::add(std::uint32_t node, std::uint32_t needed)
{
    m_sets[node].push_back(needed);
    m_holders[needed].push_back(node);
}

void UpstreamDependencies::addWrites(const Graph& graph)
{
    const std::vector<std::uint32_t> positions = graph.positions();
    const auto addOnce = [this](std::uint32_t node, std::uint32_t needed) {
        if (std::ranges::find(m_sets[node], needed) == m_sets[node].end())
            add(node, needed);
    };
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (!node.meta.mutated)
            continue;
        std::vector<NodeId> reads;
        forEachNode(node.args, node.kwargs, [&](NodeId input) { reads.push_back(input); });
        for (const std::int32_t position : *node.meta.mutated) {
            if (position < 0 || static_cast<std::size_t>(position) >= reads.size())
                continue;
            for (const NodeId user : graph.users(reads[static_cast<std::size_t>(position)])) {
                if (positions[user.index()] < positions[id.index()])
                    addOnce(id.index(), user.index());
                else if (user != id)
                    addOnce(user.index(), id.index());
            }
        }
    }
}

void UpstreamDependencies::addAutocast(const Graph& graph)
{
    std::vector<std::uint32_t> autocasts;
    std::vector<std::uint32_t> before;
    /// per node: the last autocast that has it as an input or dependency
    std::vector<std::uint32_t> excluded(graph.idBound(), 0xffffffffU);
    for (const NodeId id : graph.nodes()) {
        const bool barrier = isAutocast(graph.node(id));
        if (barrier || !autocasts.empty()) {
            for (const NodeId input : graph.inputs(id))
                excluded[input.index()] = id.index();
            for (const std::uint32_t needed : m_sets[id.index()])
                excluded[needed] = id.index();
            const auto addAll = [&](const std::vector<std::uint32_t>& nodes) {
                for (const std::uint32_t needed : nodes)
                    if (std::exchange(excluded[needed], id.index()) != id.index())
                        add(id.index(), needed);
            };
            addAll(autocasts);
            if (barrier)
                addAll(before);
        }
        if (barrier)
            autocasts.push_back(id.index());
        before.push_back(id.index());
    }
}

void UpstreamDependencies::replace(std::uint32_t node, std::uint32_t call)
{
    m_sets.resize(std::max<std::size_t>(m_sets.size(), std::size_t{call} + 1));
    m_holders.resize(m_sets.size());
    m_sets[node].clear();
    for (const std::uint32_t holder : m_holders[node]) {
        std::vector<std::uint32_t>& set = m_sets[holder];
        if (std::erase(set, node) == 0 || (!set.empty() && set.back() == call))
            continue;
        set.push_back(call);
        m_holders[call].push_back(holder);
    }
    m_holders[node].clear();
}

using Refusal = std::optional<std::string>;

class UpstreamDeduplicator {
public:
    UpstreamDeduplicator(const Program& source, UpstreamDependencies dependencies, Namespace names)
        : m_source(source), m_dependencies(std::move(dependencies)), m_names(std::move(names))
    {
        m_result.program = source;
        m_result.program.origin = resultOrigin(source);
        m_result.program.calls.clear();
    }

    Result<DedupResult> run(const RegionResult& regions, ProgressMonitor& monitor)
    {
        for (std::size_t i = 0; i < regions.groups.size(); ++i) {
            SUNDER_PROPAGATE(monitor.check());
            monitor.report(static_cast<double>(i) / static_cast<double>(regions.groups.size()), "deduplicating");
            SUNDER_PROPAGATE(shareGroup(regions.groups[i], i));
        }
        SUNDER_PROPAGATE(sort());
        mapRest();
        return std::move(m_result);
    }

private:
    [[nodiscard]] Graph& graph() { return m_result.program.rootGraph(); }

    /// Returns the places of nodes that have a user outside their region, in any region of the group.
    std::vector<std::uint32_t> outputsOf(const RegionGroup& group)
    {
        std::vector<char> leaves(group.length, 0);
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            const std::span<const NodeId> region = group.region(i);
            const std::unordered_set<NodeId> inside(region.begin(), region.end());
            for (std::uint32_t place = 0; place < group.length; ++place)
                for (const NodeId user : graph().users(region[place]))
                    if (leaves[place] == 0 && !inside.contains(user))
                        leaves[place] = 1;
        }
        std::vector<std::uint32_t> outputs;
        for (std::uint32_t place = 0; place < group.length; ++place)
            if (leaves[place] != 0)
                outputs.push_back(place);
        return outputs;
    }

    Result<void> shareGroup(const RegionGroup& group, std::size_t number)
    {
        const std::vector<std::uint32_t> outputs = outputsOf(group);
        SUNDER_TRY(UpstreamSubgraph made, upstreamSubgraph(graph(), group.region(0), outputs, m_erased));
        if (made.inputs.empty())
            return {};
        const InternedString name = freeSubgraphName(m_result.program);
        const GraphId id = addSubgraph(m_result.program, name);
        m_result.program.graph(id) = std::move(made.graph);
        aliasCalledModules(m_result.program, id);
        m_result.subgraphs.push_back({.name = name, .graph = id, .group = number, .calls = {}});
        const NodeId attribute = append({.op = Op::getAttr, .name = {}, .target = name});
        graph().moveBefore(attribute, graph().first());
        for (std::size_t i = 0; i < group.regionCount(); ++i) {
            for (std::uint32_t place = 0; place < group.length; ++place)
                if (made.copies[place])
                    m_result.map.add({m_source.root, group.region(i)[place]}, {id, made.copies[place]});
            SUNDER_TRY(const Refusal replaced, replaceRegion(group.region(i), attribute, made, outputs));
            if (replaced)
                m_result.abandoned.push_back({{group.region(i).begin(), group.region(i).end()}, *replaced});
            else
                m_result.subgraphs.back().regions.push_back(i);
        }
        return {};
    }

    NodeId append(NodeSpec spec)
    {
        spec.name = m_names.create(candidateName(spec.op, spec.target, spec.fn));
        return graph().append(std::move(spec));
    }

    NodeId getItem(NodeId call, std::uint32_t number, NodeId replaced)
    {
        NodeSpec spec = getitemSpec(call, number);
        spec.meta = graph().node(replaced).meta;
        spec.meta.regionKey = {};
        spec.meta.mutated.reset();
        const NodeId item = append(std::move(spec));
        graph().replaceAllUses(replaced, item);
        m_replacedBy[replaced] = item;
        return item;
    }

    /// Erases a node; records what PyTorch leaves of its arguments.
    Result<void> erase(NodeId id)
    {
        if (graph().node(id).isErased())
            return {};
        const auto none = [](NodeId) { return Argument(); };
        const Node& node = graph().node(id);
        std::pair<Arguments, Keywords> left(mapNodes(node.args, none), mapNodes(node.kwargs, none));
        if (const Result<void> erased = graph().erase(id); !erased)
            return fail(ErrorCode::refused, "PyTorch fails here: " + erased.error().message, erased.error().where);
        m_erased.emplace(id, std::move(left));
        return {};
    }

    /// Collects the operands. Returns an empty string if successful, else why torch leaves the region in place.
    Result<Refusal> takeOperands(std::span<const NodeId> region, const UpstreamSubgraph& made, Arguments& operands,
                                 std::unordered_set<NodeId>& parts)
    {
        for (const UpstreamSubgraph::Input& input : made.inputs) {
            for (const RegionUse use : input.uses)
                if (const auto& mutated = graph().node(region[use.position]).meta.mutated;
                    mutated && std::ranges::find(*mutated, static_cast<std::int32_t>(use.argument)) != mutated->end())
                    return Refusal(graph().node(region[use.position]).name.str() + " writes to a value from outside the region");
            for (const std::uint32_t part : input.parts) {
                operands.push_back(Argument::node(region[part]));
                parts.insert(region[part]);
            }
            if (input.isTuple)
                continue;
            const NodeId user = region[input.uses.front().position];
            const std::vector<NodeId> reads = readsOf(graph().node(user));
            if (input.uses.front().argument >= reads.size())
                return fail(ErrorCode::refused,
                            "PyTorch fails here: " + graph().node(user).name.str()
                                + " has fewer arguments than its counterpart in the first region",
                            {.node = graph().node(user).name.str()});
            operands.push_back(Argument::node(reads[input.uses.front().argument]));
        }
        return Refusal();
    }

    /// PyTorch's check that no two operands, no two results, and no operand and result share storage.
    Result<Refusal> aliasing(std::span<const NodeId> region, const Arguments& operands, std::span<const std::uint32_t> outputs,
                             const std::unordered_set<NodeId>& parts)
    {
        FlatMap<std::uint32_t> storages; ///< storage → the node that uses it
        const auto clash = [&](NodeId id) -> Result<Refusal> {
            const Node& node = graph().node(id);
            if (parts.contains(id))
                return Refusal();
            if (!node.meta.val)
                return fail(ErrorCode::refused, "PyTorch fails here: the value of " + node.name.str() + " is unknown",
                            {.node = node.name.str()});
            const InternedString storage = storageOf(node.meta.val);
            if (storage.empty())
                return Refusal();
            const auto [other, isNew] = storages.emplace(storage, id.index());
            return isNew ? Refusal() : Refusal(node.name.str() + " shares memory with " + graph().node(NodeId(other)).name.str());
        };
        for (const Argument& operand : operands)
            if (Result<Refusal> found = clash(operand.asNode()); !found || *found)
                return found;
        for (const std::uint32_t place : outputs) {
            const auto& val = graph().node(region[place]).meta.val;
            if (val && val->is(ArgumentKind::list) && !parts.contains(region[place]))
                return fail(ErrorCode::refused, "PyTorch fails here: " + graph().node(region[place]).name.str() + " is a list",
                            {.node = graph().node(region[place]).name.str()});
            if (Result<Refusal> found = clash(region[place]); !found || *found)
                return found;
        }
        return Refusal();
    }

    Result<Refusal> replaceRegion(std::span<const NodeId> region, NodeId attribute, const UpstreamSubgraph& made,
                                  std::span<const std::uint32_t> outputs)
    {
        Arguments args{Argument::node(attribute), Argument::string(graph().node(attribute).target)};
        Arguments operands;
        std::unordered_set<NodeId> parts;
        if (Result<Refusal> taken = takeOperands(region, made, operands, parts); !taken || *taken)
            return taken;
        if (Result<Refusal> found = aliasing(region, operands, outputs, parts); !found || *found)
            return found;
        for (const Argument& operand : operands) // regions may overlap; PyTorch's sort never places such a node
            if (const Node& node = graph().node(operand.asNode()); node.isErased())
                return fail(ErrorCode::refused,
                            "PyTorch fails here: " + node.name.str()
                                + " is an input, but was in a region that was already replaced",
                            {.node = node.name.str()});
        args.insert(args.end(), operands.begin(), operands.end());
        const NodeId call = append({.op = Op::callFunction,
                                    .name = {},
                                    .target = intern("torch.ops.higher_order.invoke_subgraph"),
                                    .args = std::move(args)});
        m_result.subgraphs.back().calls.push_back(call);
        std::unordered_set<NodeId> erased;
        std::uint32_t number = 0;
        for (const std::uint32_t place : outputs) {
            const auto tuple = made.tupleResults.find(place);
            if (tuple == made.tupleResults.end()) {
                getItem(call, number++, region[place]);
                continue;
            }
            SUNDER_PROPAGATE(replaceTuple(region[place], call, number, tuple->second, erased));
            number += static_cast<std::uint32_t>(tuple->second.size());
        }
        for (auto at = region.rbegin(); at != region.rend(); ++at) {
            if (parts.contains(*at))
                continue;
            if (!erased.contains(*at))
                SUNDER_PROPAGATE(erase(*at));
            m_dependencies.replace(at->index(), call.index());
        }
        return Refusal();
    }

    /// Replaces each node that takes an item of the tuple by the matching result of the call.
    Result<void> replaceTuple(NodeId tuple, NodeId call, std::uint32_t first,
                              const std::map<std::vector<std::int64_t>, std::uint32_t>& numbers,
                              std::unordered_set<NodeId>& erased)
    {
        std::vector<std::pair<NodeId, std::vector<std::int64_t>>> todo;
        const auto addParts = [&](NodeId whole, const std::vector<std::int64_t>& path) {
            for (const NodeId user : graph().users(whole)) {
                const Node& node = graph().node(user);
                if (!takesItem(node))
                    continue;
                const Argument& index = node.args[1];
                todo.emplace_back(user, path);
                todo.back().second.push_back(index.is(ArgumentKind::boolean) ? (index.asBoolean() ? 1 : 0) : index.asInteger());
            }
        };
        addParts(tuple, {});
        while (!todo.empty()) {
            const auto [part, path] = std::move(todo.back());
            todo.pop_back();
            addParts(part, path);
            const auto number = numbers.find(path);
            if (number == numbers.end())
                return fail(ErrorCode::refused,
                            "PyTorch fails here: " + graph().node(part).name.str() + " accesses an item that "
                                + graph().node(tuple).name.str() + " does not contain",
                            {.node = graph().node(part).name.str()});
            graph().moveAfter(getItem(call, first + number->second, part), call);
            SUNDER_PROPAGATE(erase(part));
            erased.insert(part);
        }
        erased.insert(tuple);
        return erase(tuple);
    }

    Result<void> sort()
    {
        std::vector<std::uint32_t> items;
        for (const NodeId id : graph().nodes())
            items.push_back(id.index());
        const NodeId output = graph().output();
        std::vector<std::vector<std::uint32_t>> needs(graph().idBound());
        for (const NodeId id : graph().nodes()) {
            std::vector<std::uint32_t>& own = needs[id.index()];
            std::unordered_set<std::uint32_t> seen;
            for (const NodeId input : graph().inputs(id))
                if (seen.insert(input.index()).second)
                    own.push_back(input.index());
            for (const std::uint32_t needed : m_dependencies.of(id.index()))
                if (seen.insert(needed).second)
                    own.push_back(needed);
        }
        const auto order = stableOrder(items, static_cast<std::uint32_t>(graph().idBound()),
                                       output ? output.index() : NodeId::kInvalid,
                                       [&](std::uint32_t item) { return std::span<const std::uint32_t>(needs[item]); });
        if (!order)
            return fail(ErrorCode::refused,
                        "PyTorch fails here: its regions depend on each other, so no order of calls is possible");
        for (std::size_t i = 1; i < order->size(); ++i)
            if (graph().previous(NodeId((*order)[i])) != NodeId((*order)[i - 1]))
                graph().moveAfter(NodeId((*order)[i]), NodeId((*order)[i - 1]));
        return {};
    }

    /// Maps remaining nodes to themselves, and other nodes to the getitem that holds their value.
    void mapRest()
    {
        std::vector<NodeId> holders(m_source.rootGraph().idBound());
        for (const NodeId id : m_source.rootGraph().nodes()) {
            NodeId holder = id;
            for (auto next = m_replacedBy.find(id); next != m_replacedBy.end(); next = m_replacedBy.find(holder))
                holder = next->second;
            if (graph().node(holder).isErased())
                continue;
            holders[id.index()] = holder;
            if (holder != id)
                m_result.map.add({m_source.root, id}, {m_source.root, holder}, true);
        }
        carrySignature(m_source, holders, m_result.program);
        for (std::size_t g = 0; g < m_source.graphs.size(); ++g)
            for (const NodeId id : m_source.graphs[g].nodes())
                if (!m_result.program.graphs[g].node(id).isErased())
                    m_result.map.add({GraphId(g), id}, {GraphId(g), id});
        m_result.map.finish();
    }

    const Program& m_source;
    UpstreamDependencies m_dependencies;
    Namespace m_names;
    ErasedArguments m_erased;
    std::unordered_map<NodeId, NodeId> m_replacedBy; ///< node → the getitem that took over its users
    DedupResult m_result;
};

} // namespace

Result<DedupResult> deduplicateAsUpstream(const Program& source, const RegionResult& regions, ProgressMonitor& monitor)
{
    SUNDER_TRY(UpstreamDependencies dependencies, UpstreamDependencies::of(source.rootGraph()));
    SUNDER_TRY(Namespace names, givenNames(source.rootGraph(), monitor));
    return UpstreamDeduplicator(source, std::move(dependencies), std::move(names)).run(regions, monitor);
}

} // namespace sunder
