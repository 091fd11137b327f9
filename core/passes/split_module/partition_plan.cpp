#include "passes/split_module/partition_plan.h"

#include "analysis/free_symbols.h"
#include "support/format.h"
#include "support/progress_monitor.h"

#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint32_t kNone = SplitModulePlan::kNone;

/// Packs two indices into one key.
constexpr std::uint64_t pairOf(std::uint32_t a, std::uint32_t b)
{
    return std::uint64_t{a} << 32U | b;
}

class SplitModulePlanner {
public:
    SplitModulePlanner(const Graph& graph, const PartitionAssignment& partitions, ProgressMonitor& monitor)
        : m_graph(graph), m_partitions(partitions), m_monitor(monitor), m_isOutput(graph.idBound(), 0),
          m_lastTaker(graph.idBound(), kNone), m_firstTaker(graph.idBound(), kNone)
    {
        m_plan.partOf.assign(graph.idBound(), kNone);
    }

    Result<SplitModulePlan> run()
    {
        SUNDER_PROPAGATE(group());
        if (m_hasSetters) {
            SUNDER_TRY(StateRegions regions, findStateRegions(m_graph, m_inOrder, m_plan.partOf, m_plan.ids));
            m_plan.regions = std::move(regions);
        }
        sortCalls();
        m_plan.inputs.resize(m_plan.size());
        m_plan.outputs.resize(m_plan.size());
        m_plan.dependents.resize(m_plan.size());
        SUNDER_PROPAGATE(findCrossings());
        return std::move(m_plan);
    }

private:
    Result<void> group()
    {
        std::vector<std::uint32_t> partOfId(m_partitions.ids.size(), kNone);
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph[id];
            bindSymbol(id);
            if (node.op == Op::getAttr || node.op == Op::callModule)
                m_plan.targeting.push_back(id);
            if (node.op == Op::getAttr || node.op == Op::placeholder)
                m_plan.entering.push_back(id);
            if (node.op == Op::output)
                m_plan.ends.push_back(id);
            if (!node.isCall())
                continue;
            m_hasSetters = m_hasSetters || stateSetterOf(node) != StateSetter::none;
            const std::uint32_t given = m_partitions[id];
            if (given >= partOfId.size())
                return failWithoutPartition(id);
            if (partOfId[given] == kNone) {
                partOfId[given] = static_cast<std::uint32_t>(m_plan.ids.size());
                m_plan.ids.push_back(m_partitions.ids[given]);
            }
            m_plan.partOf[id.index()] = partOfId[given];
            m_inOrder.push_back(id);
        }
        return {};
    }

    /// The first node whose value is just a symbol provides it.
    void bindSymbol(NodeId id)
    {
        const NodeMeta& meta = m_graph[id].meta;
        if (!hasExampleValue(meta))
            return;
        if (const InternedString symbol = symbolOf(*meta.val); !symbol.empty())
            m_nodeOfSymbol.emplace(symbol, id);
    }

    static bool hasExampleValue(const NodeMeta& meta)
    {
        static const InternedString kExampleValue = intern("example_value");
        return meta.val && meta.valFrom == kExampleValue;
    }

    tl::unexpected<Error> failWithoutPartition(NodeId id) const
    {
        std::size_t more = 0;
        for (NodeId next = m_graph.next(id); next; next = m_graph.next(next))
            more += m_graph[next].isCall() && m_partitions[next] >= m_partitions.ids.size() ? 1 : 0;
        return fail(ErrorCode::refused,
                    m_graph[id].name.str() + (more > 0 ? " and " + formatCount(more, "later op") + " have" : " has")
                        + " no partition; every op needs one",
                    {.node = m_graph[id].name.str()});
    }

    void sortCalls()
    {
        m_plan.begin.assign(m_plan.size() + 1, 0);
        for (const NodeId id : m_inOrder)
            ++m_plan.begin[m_plan.partOf[id.index()] + 1];
        for (std::size_t i = 1; i < m_plan.begin.size(); ++i)
            m_plan.begin[i] += m_plan.begin[i - 1];
        std::vector<std::uint32_t> next(m_plan.begin.begin(), m_plan.begin.end() - 1);
        m_plan.calls.resize(m_inOrder.size());
        for (const NodeId id : m_inOrder)
            m_plan.calls[next[m_plan.partOf[id.index()]]++] = id;
    }

    Result<void> findCrossings()
    {
        StepMonitor steps(m_monitor);
        for (const NodeId id : m_graph.nodes()) {
            SUNDER_PROPAGATE(steps.step());
            const Node& node = m_graph[id];
            if (node.op == Op::output && !node.args.empty())
                forEachNode(node.args.front(), [this](NodeId value) { give(value); });
            if (!node.isCall() || (m_hasSetters && stateSetterOf(node) != StateSetter::none))
                continue;
            for (const NodeId input : m_graph.inputs(id))
                SUNDER_PROPAGATE(use(input, id));
        }
        return {};
    }

    Result<void> use(NodeId value, NodeId user)
    {
        const std::uint32_t part = m_plan.partOf[user.index()];
        if (m_plan.partOf[value.index()] == part || m_lastTaker[value.index()] == part)
            return {};
        m_lastTaker[value.index()] = part;
        if (!take(value, part))
            return {};
        const NodeMeta& meta = m_graph[value].meta;
        if (!hasExampleValue(meta))
            return {};
        for (const InternedString symbol : freeSymbols(*meta.val)) {
            const auto found = m_nodeOfSymbol.find(symbol);
            if (found == m_nodeOfSymbol.end())
                return fail(ErrorCode::refused,
                            m_graph[user].name.str() + " uses " + m_graph[value].name.str()
                                + " from another partition, whose sizes contain the symbol " + symbol.str()
                                + ", but no node provides the value of that symbol",
                            {.node = m_graph[user].name.str(), .other = symbol.str()});
            take(found->second, part);
        }
        return {};
    }

    /// Makes a value an input of a partition. Returns false if it already is one. The value of a symbol may come from the
    /// partition itself, which is a cycle of length one.
    bool take(NodeId value, std::uint32_t part)
    {
        std::uint32_t& first = m_firstTaker[value.index()];
        if (first == part || (first != kNone && !m_isFurtherInput.insert(pairOf(value.index(), part)).second))
            return false;
        first = first == kNone ? part : first;
        m_plan.inputs[part].push_back(value);
        give(value);
        const std::uint32_t from = m_plan.partOf[value.index()];
        if (from != kNone && m_isDependent.insert(pairOf(from, part)).second)
            m_plan.dependents[from].push_back(part);
        return true;
    }

    void give(NodeId value)
    {
        const std::uint32_t from = m_plan.partOf[value.index()];
        if (from == kNone || m_isOutput[value.index()] != 0)
            return;
        m_isOutput[value.index()] = 1;
        m_plan.outputs[from].push_back(value);
    }

    const Graph& m_graph;
    const PartitionAssignment& m_partitions;
    ProgressMonitor& m_monitor;
    SplitModulePlan m_plan;
    bool m_hasSetters = false;     ///< whether there are setters of autocast or grad mode
    std::vector<NodeId> m_inOrder; ///< calls in graph order
    std::unordered_map<InternedString, NodeId> m_nodeOfSymbol;
    std::vector<char> m_isOutput;            ///< per NodeId
    std::vector<std::uint32_t> m_lastTaker;  ///< per NodeId: the last partition that uses it
    std::vector<std::uint32_t> m_firstTaker; ///< per NodeId: the first partition that uses it, usually the only one
    std::unordered_set<std::uint64_t> m_isFurtherInput; ///< (value, partition), except the first partition
    std::unordered_set<std::uint64_t> m_isDependent; ///< (partition, dependent partition)
};

class RegionFinder {
public:
    RegionFinder(const Graph& graph, std::span<const std::uint32_t> partOf, std::span<const PartitionId> ids)
        : m_graph(graph), m_partOf(partOf), m_ids(ids)
    {
    }

    Result<StateRegions> run(std::span<const NodeId> calls)
    {
        for (const NodeId id : calls)
            SUNDER_PROPAGATE(visit(id));
        for (const StateRegion& region : m_regions.autocast)
            if (!region.exit)
                return refuse(region.setter, " enters autocast, but nothing exits it");
        if (m_regions.autocast.empty() && m_regions.grad.empty())
            return std::move(m_regions);
        SUNDER_PROPAGATE(checkAscending(calls));
        return std::move(m_regions);
    }

private:
    Result<void> visit(NodeId id)
    {
        const std::uint32_t part = m_partOf[id.index()];
        switch (stateSetterOf(m_graph[id])) {
        case StateSetter::enterAutocast: return enter(id, part);
        case StateSetter::exitAutocast: return leave(id, part);
        case StateSetter::setGradEnabled: return setGrad(id, part);
        case StateSetter::none: break;
        }
        if (!m_regions.grad.empty())
            m_regions.grad.back().last = part;
        return {};
    }

    Result<void> enter(NodeId id, std::uint32_t part)
    {
        for (const Argument& argument : m_graph[id].args)
            if (argument.is(ArgumentKind::node))
                return refuse(id,
                              " enters autocast with the computed value " + m_graph[argument.asNode()].name.str()
                                  + "; only constants can be set again in another partition");
        m_open.emplace(id, m_regions.autocast.size());
        m_regions.autocast.push_back({.setter = id, .first = part, .last = part});
        return extendGrad(part);
    }

    Result<void> leave(NodeId id, std::uint32_t part)
    {
        const Arguments& args = m_graph[id].args;
        if (args.size() != 1 || !args[0].is(ArgumentKind::node))
            return refuse(id, " exits autocast, but does not say which");
        const auto open = m_open.find(args[0].asNode());
        if (open == m_open.end())
            return refuse(id, " exits an autocast region that is not active");
        m_regions.autocast[open->second].exit = id;
        m_regions.autocast[open->second].last = part;
        m_open.erase(open);
        return extendGrad(part);
    }

    Result<void> setGrad(NodeId id, std::uint32_t part)
    {
        const Arguments& args = m_graph[id].args;
        if (args.size() != 1 || !args[0].is(ArgumentKind::boolean))
            return refuse(id, " sets grad mode to something other than true or false");
        m_regions.grad.push_back({.setter = id, .first = part, .last = part});
        return {};
    }

    Result<void> extendGrad(std::uint32_t part)
    {
        if (!m_regions.grad.empty())
            m_regions.grad.back().last = part;
        return {};
    }

    /// torch starts the comparison at -1, and compares numbers only.
    Result<void> checkAscending(std::span<const NodeId> calls) const
    {
        std::int64_t highest = -1;
        NodeId before;
        for (const NodeId id : calls) {
            const PartitionId& partition = m_ids[m_partOf[id.index()]];
            if (!partition.number)
                return refuse(id,
                              " is in partition " + partition.text.str()
                                  + ", but a graph that sets autocast or grad mode needs numbered partitions");
            if (*partition.number < highest)
                return fail(
                    ErrorCode::refused,
                    m_graph[id].name.str() + " is in partition " + partition.text.str()
                        + (before ? ", after " + m_graph[before].name.str() + " in partition " + std::to_string(highest) : "")
                        + "; in a graph that sets autocast or grad mode, partition numbers must not decrease"
                        + (before ? "" : " or start below -1"),
                    {.node = m_graph[id].name.str(), .other = partition.text.str()});
            highest = *partition.number;
            before = id;
        }
        return {};
    }

    [[nodiscard]] tl::unexpected<Error> refuse(NodeId id, const std::string& what) const
    {
        return fail(ErrorCode::refused, m_graph[id].name.str() + what, {.node = m_graph[id].name.str()});
    }

    const Graph& m_graph;
    std::span<const std::uint32_t> m_partOf;
    std::span<const PartitionId> m_ids;
    StateRegions m_regions;
    std::unordered_map<NodeId, std::size_t> m_open; ///< open regions: index into m_regions.autocast
};

/// Returns the path of a node's enclosing module at that level; empty if there is none.
InternedString moduleAtLevel(const Program& program, const Node& node, std::uint32_t depth)
{
    InternedString path;
    if (!node.meta.modules)
        return path;
    std::uint32_t level = 0;
    for (const ModuleFrame& frame : program.stackOf(node))
        if (!frame.path.empty() && level++ < depth) // the root module has no path
            path = frame.path;
    return path;
}

} // namespace

Result<SplitModulePlan> planPartitions(const Graph& graph, const PartitionAssignment& partitions, ProgressMonitor& monitor)
{
    return SplitModulePlanner(graph, partitions, monitor).run();
}

StateSetter stateSetterOf(const Node& node)
{
    static const InternedString kEnter = intern("torch.amp.autocast_mode._enter_autocast");
    static const InternedString kExit = intern("torch.amp.autocast_mode._exit_autocast");
    static const InternedString kGrad = intern("torch._C._set_grad_enabled");
    if (node.op != Op::callFunction)
        return StateSetter::none;
    if (node.target == kEnter)
        return StateSetter::enterAutocast;
    if (node.target == kExit)
        return StateSetter::exitAutocast;
    return node.target == kGrad ? StateSetter::setGradEnabled : StateSetter::none;
}

Result<StateRegions> findStateRegions(const Graph& graph, std::span<const NodeId> calls, std::span<const std::uint32_t> partOf,
                                      std::span<const PartitionId> ids)
{
    return RegionFinder(graph, partOf, ids).run(calls);
}

PartitionAssignment partitionsOfTags(const Graph& graph, const TagAssignment& tags)
{
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    for (const InternedString tag : tags.order)
        partitions.ids.push_back({.text = tag});
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(tags[id]);
    return partitions;
}

PartitionAssignment partitionsByModule(const Program& program, std::uint32_t depth)
{
    const Graph& graph = program.rootGraph();
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    const auto open = [&partitions] {
        const auto number = static_cast<std::int64_t>(partitions.ids.size());
        partitions.ids.push_back({.text = intern(std::to_string(number)), .number = number});
    };
    InternedString current;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const InternedString module = moduleAtLevel(program, graph[id], depth);
        const bool isAnother = !module.empty() && !current.empty() && module != current;
        if (partitions.ids.empty() || isAnother)
            open();
        if (!module.empty())
            current = module;
        partitions.partitionOf[id.index()] = static_cast<std::uint32_t>(partitions.ids.size() - 1);
    }
    return partitions;
}

} // namespace sunder
