#include "analysis/run_order/memory_classes.h"

#include "analysis/run_order/call_effects.h"
#include "analysis/sizes.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"
#include "support/disjoint_sets.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>

namespace sunder {

MemoryClasses::MemoryClasses(const RankedGraph& graph)
    : m_graph(graph), m_class(graph.size()), m_itself(graph.size()), m_origin(graph.size()), m_apart(graph.size(), 0)
{
    std::iota(m_class.begin(), m_class.end(), 0U);
    std::iota(m_itself.begin(), m_itself.end(), 0U);
    std::iota(m_origin.begin(), m_origin.end(), 0U);
}

MemoryClasses::MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt)
    : MemoryClasses(*build(program, graph, doubt, ProgressMonitor::none()))
{
}

Result<MemoryClasses> MemoryClasses::build(const Program& program, const RankedGraph& graph, Doubt doubt,
                                           ProgressMonitor& monitor)
{
    MemoryClasses classes(graph);
    SUNDER_PROPAGATE(classes.mergeAll(program, doubt, monitor));
    return classes;
}

Result<void> MemoryClasses::mergeAll(const Program& program, Doubt doubt, ProgressMonitor& monitor)
{
    OperatorCatalog catalogue(program);
    ModuleFacts leaves(program);
    std::optional<EffectFinder> effects; // only needed for programs with nested graphs
    const bool hasNested = program.graphs.size() > 1;
    const auto returnsFresh = [&](const Node& node) {
        if (hasNested && !effects)
            effects.emplace(program);
        return hasNested && effects->returnsFresh(node);
    };
    StepMonitor steps(monitor);
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
        SUNDER_PROPAGATE(steps.step());
        const Node& node = m_graph.node(rank);
        if (node.op == Op::callFunction || node.op == Op::callMethod) {
            const OperatorFacts& facts = catalogue.of(node);
            const CallFacts does = factsOf(rank, facts);
            noteItself(rank, facts, does);
            if (!mergeStorages(rank, doubt) && !makesTensor(catalogue, m_graph.graph(), node) && !returnsFresh(node))
                mergeCall(rank, facts, does, doubt);
        } else if (!mergeStorages(rank, doubt) && node.op == Op::callModule) {
            const ModuleId called = program.modules.resolve(node.target.view());
            if (called && !program.modules[called].graph && !program.modules[called].calls)
                mergeModule(rank, leaves.of(called, NodeArguments(node)), doubt);
            else if (doubt == Doubt::merge && !returnsFresh(node))
                mergeInputs(rank);
        }
        m_apart[rank] = doubt == Doubt::ignore && node.isCall() && m_class[rank] == rank ? 1 : 0;
    }
    mergeTensors(program);
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
        m_class[rank] = find(rank);
    return {};
}

/// Merges values with the same storage in the file; returns false unless all tensors in the value have one. With Doubt::ignore,
/// tuples are not merged.
bool MemoryClasses::mergeStorages(std::uint32_t rank, Doubt doubt)
{
    const std::optional<Argument>& val = m_graph.node(rank).meta.val;
    const bool isLeaf = doubt == Doubt::merge || tensorOf(val) != nullptr;
    return val && forEachStorage(*val, [&](InternedString storage) {
               if (isLeaf)
                   merge(rank, m_firstIn.emplace(storage, rank).first);
           });
}

/// If a tuple shares no memory with its inputs, its items do not share memory with each other.
bool MemoryClasses::mergeItem(std::uint32_t rank)
{
    const Node& node = m_graph.node(rank);
    if (!takesItem(node) || m_apart[m_graph.rank(node.args[0].asNode())] == 0)
        return false;
    const Argument& index = node.args[1];
    const std::int64_t item = index.is(ArgumentKind::boolean) ? (index.asBoolean() ? 1 : 0) : index.asInteger();
    merge(rank, m_items.emplace(std::pair(m_graph.rank(node.args[0].asNode()), item), rank).first->second);
    return true;
}

void MemoryClasses::mergeInputs(std::uint32_t rank)
{
    for (const std::uint32_t input : m_graph.inputs(rank))
        merge(rank, input);
}

void MemoryClasses::mergeModule(std::uint32_t rank, const ModuleCallFacts& does, Doubt doubt)
{
    if (doubt == Doubt::ignore && (!does.known || does.assumesAttributes))
        return;
    const NodeArguments given(m_graph.node(rank));
    for (const std::uint32_t slot : does.call.shared)
        forEachNode(given.argument(slot), [&](NodeId input) { merge(rank, m_graph.rank(input)); });
}

CallFacts MemoryClasses::factsOf(std::uint32_t rank, const OperatorFacts& facts) const
{
    CallFacts does = callFacts(facts, NodeArguments(m_graph.node(rank)));
    settleConversion(does, m_graph.graph(), m_graph.node(rank));
    return does;
}

/// Excludes calls that write, and calls whose storage in the file differs from that of the argument.
void MemoryClasses::noteItself(std::uint32_t rank, const OperatorFacts& facts, const CallFacts& does)
{
    const Node& node = m_graph.node(rank);
    if (does.result != ResultMemory::is || facts.role != CallRole::function || !does.written.empty() || does.random
        || node.meta.mutated)
        return;
    const Argument& argument = NodeArguments(node).argument(does.shared.front());
    if (!argument.is(ArgumentKind::node))
        return;
    const Node& given = m_graph.graph().node(argument.asNode());
    const TensorMeta* mine = tensorOf(node.meta.val);
    const TensorMeta* theirs = tensorOf(given.meta.val);
    if (mine != nullptr && theirs != nullptr && mine->storage == theirs->storage)
        m_origin[rank] = m_origin[m_itself[rank] = m_graph.rank(argument.asNode())];
}

void MemoryClasses::mergeCall(std::uint32_t rank, const OperatorFacts& facts, const CallFacts& does, Doubt doubt)
{
    if (facts.role == CallRole::query || facts.role == CallRole::assertion || usesFormOnly(m_graph.node(rank))
        || (facts.role == CallRole::getItem && mergeItem(rank)))
        return;
    const NodeArguments given(m_graph.node(rank));
    if (doubt == Doubt::ignore && !facts.known)
        return;
    const bool isDoubtful = doubt == Doubt::ignore && does.result == ResultMemory::maybe && does.shared.size() > 1;
    for (const std::uint32_t slot : does.shared)
        // set_ returns the tensor that it writes to
        if (!isDoubtful || std::ranges::find(does.written, slot) != does.written.end())
            forEachNode(given.argument(slot), [&](NodeId input) { merge(rank, m_graph.rank(input)); });
}

std::uint32_t MemoryClasses::find(std::uint32_t rank)
{
    return rootOf(m_class, rank);
}

/// Merges nodes of parameters, buffers and constants with the same storage.
void MemoryClasses::mergeTensors(const Program& program)
{
    const MemoryTable table = memoryTable(program.tensors);
    const std::vector<TensorId> tensors = tensorsOfNodes(program);
    std::vector<std::uint32_t> firstIn(table.bytes.size(), NodeId::kInvalid);
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
        const TensorId tensor = tensors[m_graph.id(rank).index()];
        if (!tensor)
            continue;
        std::uint32_t& first = firstIn[table.memoryOf[tensor.index()]];
        first = first == NodeId::kInvalid ? rank : first;
        merge(rank, first);
    }
}

namespace {

constexpr std::array<std::string_view, 11> kForms{"shape",  "dtype",  "device",  "layout",       "ndim",     "itemsize",
                                                  "nbytes", "is_cpu", "is_cuda", "is_quantized", "is_sparse"};

} // namespace

bool usesFormOnly(const Node& node)
{
    if (node.op != Op::callFunction || node.args.size() < 2 || !node.args[1].is(ArgumentKind::string))
        return false;
    const std::string_view target = node.target.view();
    return (target == "builtins.getattr" || target == "getattr")
        && std::ranges::find(kForms, node.args[1].text().view()) != kForms.end();
}

} // namespace sunder
