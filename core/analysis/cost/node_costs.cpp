#include "analysis/cost/node_costs.h"

#include "analysis/cost/call_shapes.h"
#include "analysis/cost/flop_formulas.h"
#include "analysis/cost/flops.h"
#include "analysis/search/node_matcher.h"
#include "ir/getitem.h"
#include "ir/tensor_meta.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"

#include <algorithm>
#include <map>
#include <string>

namespace sunder {
namespace {

constexpr int kMaxNesting = 64; ///< of graphs whose operators are listed

/// Returns the bytes of a tensor, with a dimension of stride 0 counted once; 0 if unknown.
std::uint64_t movedBytes(const TensorMeta& meta)
{
    if (!meta.stride || meta.stride->size() != meta.shape.size())
        return byteSize(meta).value_or(0);
    std::vector<Argument> sizes(meta.shape.begin(), meta.shape.end());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if ((*meta.stride)[i].is(ArgumentKind::integer) && (*meta.stride)[i].asInteger() == 0)
            sizes[i] = Argument::integer(1);
    TensorMeta once = meta;
    once.shape = Arguments(sizes.begin(), sizes.end());
    return byteSize(once).value_or(0);
}

std::uint64_t movedBytes(const Argument& val)
{
    std::uint64_t bytes = 0;
    forEachTensor(val, [&](const TensorMeta& meta) { bytes += movedBytes(meta); });
    return bytes;
}

bool isContiguous(const TensorMeta& meta)
{
    std::uint64_t step = 1;
    if (!meta.stride || meta.stride->size() != meta.shape.size())
        return true;
    for (std::size_t i = meta.shape.size(); i-- > 0;) {
        const std::uint64_t size = sizeHint(meta.shape[i]).value_or(0);
        if (size != 1 && sizeHint((*meta.stride)[i]) != step)
            return false;
        step *= std::max<std::uint64_t>(size, 1);
    }
    return true;
}

/// Whether a result that may share memory with an operand is that operand in the same order, so that nothing is copied.
bool isSameData(const Argument* operand, const Argument& result)
{
    if (operand == nullptr || !operand->is(ArgumentKind::tensor) || !result.is(ArgumentKind::tensor))
        return false;
    const TensorMeta& from = operand->asTensor();
    const TensorMeta& to = result.asTensor();
    if (from.dtype != to.dtype || from.device != to.device || elementCount(from.shape) != elementCount(to.shape))
        return false;
    return (from.shape == to.shape && from.stride == to.stride) || (isContiguous(from) && isContiguous(to));
}

class CostCounter {
public:
    explicit CostCounter(const Program& program)
        : m_program(program), m_graph(program.rootGraph()), m_operators(program), m_flops(program, m_operators)
    {
    }

    Result<ProgramCosts> run(ProgressMonitor& monitor)
    {
        m_costs.nodes.resize(m_graph.idBound());
        moduleAt({}); // the whole model, also without calls
        StepMonitor steps(monitor, m_graph.size(), "Counting operations");
        for (const NodeId id : m_graph.order()) {
            SUNDER_PROPAGATE(steps.step());
            if (m_graph[id].isCall())
                count(id);
        }
        std::ranges::sort(m_modules, {}, &Module::firstCalls);
        for (const Module& module : m_modules)
            m_costs.modules.push_back(module.sum);
        for (const auto& [target, row] : m_uncounted)
            m_costs.uncounted.push_back(row);
        std::ranges::stable_sort(m_costs.uncounted, std::ranges::greater(), &UncountedOperator::bytes);
        return std::move(m_costs);
    }

private:
    using Uncounted = std::map<std::string_view, UncountedOperator>; ///< by target

    struct Module {
        ModuleCost sum;
        std::vector<std::uint32_t> firstCalls; ///< numbers of the module and those around it, in the order of their first calls
    };

    /// The bytes that a call reads and writes.
    struct Traffic {
        std::uint64_t read = 0;
        std::uint64_t written = 0;
        bool computes = false; ///< it reads tensors, and is neither a view nor elementwise
    };

    void count(NodeId id)
    {
        const Node& node = m_graph[id];
        const NodeFlops flops = m_flops.of(m_program.root, id);
        NodeCost& cost = m_costs.nodes[id.index()];
        cost.flops = flops.count;
        m_costs.unknown += flops.count ? 0 : 1;
        const Traffic traffic = trafficOf(m_program.root, id);
        cost.bytesRead = traffic.read;
        cost.bytesWritten = traffic.written;
        cost.uncounted = addUncounted(m_program.root, id, traffic, flops.hasFormula, m_uncounted) && !flops.hasFormula ? 1 : 0;
        addTo(0, cost);
        std::size_t module = 0;
        forEachEnclosing(modulePathOf(m_program, node), [&](std::string_view path) {
            module = moduleAt(path, module);
            addTo(module, cost);
        });
    }

    /// Returns the number of a module within another one.
    std::size_t moduleAt(std::string_view path, std::size_t parent = 0)
    {
        const auto [found, isNew] = m_moduleNumbers.try_emplace(std::string(path), m_modules.size());
        if (isNew) {
            std::vector<std::uint32_t> firstCalls = m_modules.empty() ? std::vector<std::uint32_t>()
                                                                      : m_modules[parent].firstCalls;
            firstCalls.push_back(static_cast<std::uint32_t>(m_modules.size()));
            m_modules.push_back({.sum = {.path = intern(path)}, .firstCalls = std::move(firstCalls)});
        }
        return found->second;
    }

    void addTo(std::size_t module, const NodeCost& cost)
    {
        ++m_modules[module].sum.ops;
        m_modules[module].sum.cost.add(cost);
    }

    /// Adds a call without a formula, or those in the graphs that it executes. Returns whether there was one.
    bool addUncounted(GraphId in, NodeId id, const Traffic& traffic, bool hasFormula, Uncounted& rows)
    {
        const Node& node = m_program.graph(in)[id];
        if (const std::vector<GraphId> bodies = executedGraphs(m_program, m_operators, in, node); !bodies.empty()) {
            bool hasAny = false;
            for (const GraphId body : bodies) {
                if (!body) { // a leaf
                    const ModuleId leaf = moduleCalled(m_program, in, node.target);
                    add({.target = leaf && !m_program.modules[leaf].cls.empty() ? m_program.modules[leaf].cls : node.target,
                         .nodes = 1,
                         .bytes = traffic.read + traffic.written},
                        rows);
                    hasAny = true;
                    continue;
                }
                const Uncounted& inside = uncountedOf(body);
                for (const auto& [target, row] : inside)
                    add(row, rows);
                hasAny = hasAny || !inside.empty();
            }
            return hasAny;
        }
        const bool isUncounted = traffic.computes && !hasFormula;
        if (isUncounted)
            add({.target = node.target, .nodes = 1, .bytes = traffic.read + traffic.written}, rows);
        return isUncounted;
    }

    /// Counts each graph once, also one that calls itself.
    const Uncounted& uncountedOf(GraphId body)
    {
        const auto [found, isNew] = m_uncountedOf.try_emplace(body);
        if (isNew && m_depth < kMaxNesting) {
            ++m_depth;
            Uncounted rows;
            for (const NodeId id : m_program.graph(body).order())
                if (m_program.graph(body)[id].isCall())
                    addUncounted(body, id, trafficOf(body, id), m_flops.of(body, id).hasFormula, rows);
            --m_depth;
            m_uncountedOf[body] = std::move(rows);
        }
        return m_uncountedOf[body];
    }

    static void add(const UncountedOperator& row, Uncounted& rows)
    {
        UncountedOperator& sum = rows.try_emplace(row.target.view(), UncountedOperator{.target = row.target}).first->second;
        sum.nodes = sumOf(sum.nodes, row.nodes).value_or(std::numeric_limits<std::uint64_t>::max());
        sum.bytes = sumOf(sum.bytes, row.bytes).value_or(std::numeric_limits<std::uint64_t>::max());
    }

    Traffic trafficOf(GraphId in, NodeId id)
    {
        const Graph& graph = m_program.graph(in);
        const Node& node = graph[id];
        if (isGetitem(node) || !node.meta.val || !holdsTensor(*node.meta.val))
            return {};
        const OperatorFacts& facts = m_operators.of(node);
        const NodeArguments given(node);
        const CallFacts does = callFacts(facts, given);
        const bool isView = facts.known && does.written.empty()
            && (does.result == ResultMemory::view || does.result == ResultMemory::is
                || (does.result == ResultMemory::maybe && does.shared.size() == 1
                    && isSameData(valueIn(graph, given.argument(does.shared.front())), *node.meta.val)));
        static constexpr std::string_view kEmpty[] = {"aten::empty",     "aten::empty_like",     "aten::empty_strided",
                                                      "aten::new_empty", "aten::empty_permuted", "aten::new_empty_strided"};
        const std::string packet = packetName(operatorName(node.target.view()));
        if (isView || std::ranges::find(kEmpty, packet) != std::end(kEmpty))
            return {};
        Traffic traffic{.written = movedBytes(*node.meta.val)};
        for (const NodeId input : graph.inputs(id)) {
            const std::optional<Argument>& val = graph[input].meta.val;
            traffic.read += val ? movedBytes(*val) : 0;
            traffic.computes = traffic.computes || (val && holdsTensor(*val));
        }
        const bool isPointwise = std::ranges::any_of(
            facts.overloads, [](const OperatorOverload& overload) { return overload.schema.has(OperatorTag::pointwise); });
        traffic.computes = traffic.computes && !isPointwise;
        return traffic;
    }

    const Program& m_program;
    const Graph& m_graph;
    OperatorCatalog m_operators;
    FlopCounter m_flops;
    ProgramCosts m_costs;
    std::vector<Module> m_modules; ///< the whole model first
    std::unordered_map<std::string, std::size_t> m_moduleNumbers; ///< by path
    Uncounted m_uncounted; ///< of the root graph
    std::map<GraphId, Uncounted> m_uncountedOf;
    int m_depth = 0; ///< of nested graphs
};

} // namespace

void NodeCost::add(const NodeCost& other)
{
    flops = sumOf(flops, other.flops);
    bytesRead += other.bytesRead;
    bytesWritten += other.bytesWritten;
    uncounted += other.uncounted;
}

Result<ProgramCosts> programCosts(const Program& program, ProgressMonitor& monitor)
{
    return CostCounter(program).run(monitor);
}

} // namespace sunder
