#include "analysis/cost/node_costs.h"

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
        m_modules[{}]; // the whole model, also without calls
        StepMonitor steps(monitor, m_graph.size(), "Counting operations");
        for (const NodeId id : m_graph.order()) {
            SUNDER_PROPAGATE(steps.step());
            if (m_graph[id].isCall())
                count(id);
        }
        for (auto& [path, module] : m_modules) {
            module.path = intern(path);
            m_costs.modules.push_back(module);
        }
        for (auto& [target, row] : m_uncounted) {
            row.target = intern(target);
            m_costs.uncounted.push_back(row);
        }
        std::ranges::stable_sort(m_costs.uncounted, std::ranges::greater(), &UncountedOperator::bytes);
        return std::move(m_costs);
    }

private:
    void count(NodeId id)
    {
        const Node& node = m_graph[id];
        const NodeFlops flops = m_flops.of(m_program.root, id);
        NodeCost& cost = m_costs.nodes[id.index()];
        cost.flops = flops.count;
        m_costs.unknown += flops.count ? 0 : 1;
        if (!isGetitem(node) && node.meta.val && holdsTensor(*node.meta.val))
            addBytes(id, cost, flops.hasFormula);
        addTo({}, cost);
        const std::string_view module = modulePathOf(m_program, node);
        for (std::size_t end = 0; end < module.size();) {
            end = std::min(module.find('.', end + 1), module.size());
            addTo(module.substr(0, end), cost);
        }
    }

    void addTo(std::string_view module, const NodeCost& cost)
    {
        ModuleCost& sum = m_modules[std::string(module)];
        ++sum.ops;
        sum.cost.add(cost);
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
                    && isSameData(valueIn(m_graph, given.argument(does.shared.front())), *node.meta.val)));
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
        cost.uncounted = 1;
        UncountedOperator& row = m_uncounted[node.target.str()];
        ++row.nodes;
        row.bytes += cost.bytesRead + cost.bytesWritten;
    }

    const Program& m_program;
    const Graph& m_graph;
    OperatorCatalog m_operators;
    FlopCounter m_flops;
    ProgramCosts m_costs;
    std::map<std::string, ModuleCost> m_modules; ///< by path; a module sorts before its submodules
    std::map<std::string, UncountedOperator> m_uncounted;
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
