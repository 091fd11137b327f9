#include "analysis/cost/node_costs.h"

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

/// Returns the bytes of a tensor, with a dimension of stride 0 counted once; 0 if unknown.
std::uint64_t movedBytes(const TensorMeta& meta)
{
    if (!meta.stride || meta.stride->size() != meta.shape.size())
        return byteSize(meta).value_or(0);
    Arguments shape = meta.shape;
    std::vector<Argument> sizes(shape.begin(), shape.end());
    for (std::size_t i = 0; i < sizes.size(); ++i)
        if ((*meta.stride)[i].is(ArgumentKind::integer) && (*meta.stride)[i].asInteger() == 0)
            sizes[i] = Argument::integer(1);
    const std::optional<std::uint64_t> count = elementCount(sizes);
    const std::optional<std::uint64_t> size = elementSize(meta.dtype.view());
    std::uint64_t bytes = 0;
    return count && size && !__builtin_mul_overflow(*count, *size, &bytes) ? bytes : 0;
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
bool isSameData(const Argument& operand, const Argument& result)
{
    if (!operand.is(ArgumentKind::tensor) || !result.is(ArgumentKind::tensor))
        return false;
    const TensorMeta& from = operand.asTensor();
    const TensorMeta& to = result.asTensor();
    if (from.dtype != to.dtype || from.device != to.device || elementCount(from.shape) != elementCount(to.shape))
        return false;
    return (from.shape == to.shape && from.stride == to.stride) || (isContiguous(from) && isContiguous(to));
}

class CostCounter {
public:
    explicit CostCounter(const Program& program)
        : m_program(program), m_graph(program.rootGraph()), m_flops(program), m_operators(program)
    {
    }

    Result<ProgramCosts> run(ProgressMonitor& monitor)
    {
        m_costs.nodes.resize(m_graph.idBound());
        m_costs.modules.push_back({});
        for (const NodeId id : m_graph.order()) {
            SUNDER_PROPAGATE(monitor.check());
            if (m_graph[id].isCall())
                count(id);
        }
        for (auto& [path, cost] : m_modules)
            m_costs.modules.push_back({.path = intern(path), .ops = cost.ops, .cost = cost.cost});
        for (const auto& [target, row] : m_uncounted)
            m_costs.uncounted.push_back({.target = intern(target), .nodes = row.nodes, .bytes = row.bytes});
        std::ranges::stable_sort(m_costs.uncounted, std::ranges::greater(), &UncountedOperator::bytes);
        return std::move(m_costs);
    }

private:
    struct ModuleSum {
        std::uint32_t ops = 0;
        NodeCost cost;
    };

    void count(NodeId id)
    {
        const Node& node = m_graph[id];
        const NodeFlops flops = m_flops.of(m_program.root, id);
        NodeCost& cost = m_costs.nodes[id.index()];
        cost.flops = flops.count;
        m_costs.unknown += flops.count ? 0 : 1;
        if (!isGetitem(node) && node.meta.val && holdsTensor(*node.meta.val))
            addBytes(id, cost, flops.hasFormula);
        addTo(m_costs.modules.front().ops, m_costs.modules.front().cost, cost);
        const std::string_view module = modulePathOf(m_program, node);
        for (std::size_t end = 0; end < module.size() && end != module.npos;) {
            end = module.find('.', end + 1);
            ModuleSum& sum = m_modules[std::string(module.substr(0, end))];
            addTo(sum.ops, sum.cost, cost);
        }
    }

    static void addTo(std::uint32_t& ops, NodeCost& sum, const NodeCost& cost)
    {
        ++ops;
        sum.add(cost);
    }

    void addBytes(NodeId id, NodeCost& cost, bool hasFormula)
    {
        const Node& node = m_graph[id];
        const OperatorFacts& facts = m_operators.of(node);
        const NodeArguments given(node);
        const CallFacts does = callFacts(facts, given);
        const bool isView = facts.known && does.written.empty()
            && (does.result == ResultMemory::view || does.result == ResultMemory::is
                || (does.result == ResultMemory::maybe && does.shared.size() == 1
                    && isSameData(valueOf(given.argument(does.shared.front())), *node.meta.val)));
        static constexpr std::string_view kEmpty[] = {"aten::empty",     "aten::empty_like",     "aten::empty_strided",
                                                      "aten::new_empty", "aten::empty_permuted", "aten::new_empty_strided"};
        const std::string packet = packetName(operatorName(node.target.view()));
        if (isView || std::ranges::find(kEmpty, packet) != std::end(kEmpty))
            return;
        bool readsTensors = false;
        for (const NodeId input : m_graph.inputs(id)) {
            const std::optional<Argument>& val = m_graph[input].meta.val;
            cost.bytesRead += val ? movedBytes(*val) : 0;
            readsTensors = readsTensors || (val && holdsTensor(*val));
        }
        cost.bytesWritten = movedBytes(*node.meta.val);
        const bool isPointwise = std::ranges::any_of(
            facts.overloads, [](const OperatorOverload& overload) { return overload.schema.has(OperatorTag::pointwise); });
        if (hasFormula || !readsTensors || isPointwise)
            return;
        UncountedOperator& row = m_uncounted[node.target.str()];
        ++row.nodes;
        row.bytes += cost.bytesRead + cost.bytesWritten;
    }

    [[nodiscard]] const Argument& valueOf(const Argument& argument) const
    {
        if (!argument.is(ArgumentKind::node))
            return argument;
        const std::optional<Argument>& val = m_graph[argument.asNode()].meta.val;
        return val ? *val : argument;
    }

    const Program& m_program;
    const Graph& m_graph;
    FlopCounter m_flops;
    OperatorCatalog m_operators;
    ProgramCosts m_costs;
    std::map<std::string, ModuleSum> m_modules;
    std::map<std::string, UncountedOperator> m_uncounted;
};

} // namespace

void NodeCost::add(const NodeCost& other)
{
    std::uint64_t sum = 0;
    flops = flops && other.flops && !__builtin_add_overflow(*flops, *other.flops, &sum) ? std::optional(sum) : std::nullopt;
    bytesRead += other.bytesRead;
    bytesWritten += other.bytesWritten;
}

Result<ProgramCosts> programCosts(const Program& program, ProgressMonitor& monitor)
{
    return CostCounter(program).run(monitor);
}

} // namespace sunder
