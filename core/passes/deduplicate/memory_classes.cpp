#include "passes/deduplicate/memory_classes.h"

#include "analysis/sizes.h"
#include "ir/value_kind.h"
#include "operators/call_facts.h"
#include "operators/module_facts.h"
#include "operators/operator_catalogue.h"
#include "support/flat_map.h"

#include <numeric>

namespace sunder {

MemoryClasses::MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt)
    : m_graph(graph), m_class(graph.size())
{
    std::iota(m_class.begin(), m_class.end(), 0U);
    OperatorCatalogue catalogue(program);
    ModuleFacts leaves(program);
    FlatMap<std::uint32_t> firstIn; ///< storage → first rank in it
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        const Node& node = graph.node(rank);
        const bool known = node.meta.val && forEachStorage(*node.meta.val, [&](InternedString storage) {
            merge(rank, firstIn.emplace(storage, rank).first);
        });
        if (known || !node.isCall())
            continue;
        if (node.op != Op::callModule) {
            if (!makesTensor(catalogue, graph.graph(), node))
                mergeCall(rank, catalogue.of(node.op, node.target), doubt);
        } else {
            const ModuleId called = program.modules.resolve(node.target.view());
            const bool leaf = called && !program.modules[called].graph && !program.modules[called].calls;
            if (leaf)
                mergeModule(rank, leaves.of(called, NodeArguments(node)), doubt);
            else if (doubt == Doubt::merge)
                mergeInputs(rank);
        }
    }
    mergeTensors(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        m_class[rank] = find(rank);
}

void MemoryClasses::mergeInputs(std::uint32_t rank)
{
    for (const std::uint32_t input : m_graph.inputs(rank))
        merge(rank, input);
}

void MemoryClasses::mergeModule(std::uint32_t rank, const ModuleCallFacts& does, Doubt doubt)
{
    if (doubt == Doubt::ignore && (!does.known || does.asksAttributes))
        return;
    const NodeArguments given(m_graph.node(rank));
    for (const std::uint32_t slot : does.call.shared)
        forEachNode(given.argument(slot), [&](NodeId input) { merge(rank, m_graph.rank(input)); });
}

void MemoryClasses::mergeCall(std::uint32_t rank, const OperatorFacts& facts, Doubt doubt)
{
    if (facts.role == CallRole::query || facts.role == CallRole::assertion)
        return;
    const NodeArguments given(m_graph.node(rank));
    const CallFacts does = callFacts(facts, given);
    if (doubt == Doubt::ignore && (!facts.known || (does.result == ResultMemory::maybe && does.shared.size() > 1)))
        return;
    for (const std::uint32_t slot : does.shared)
        forEachNode(given.argument(slot), [&](NodeId input) { merge(rank, m_graph.rank(input)); });
}

std::uint32_t MemoryClasses::find(std::uint32_t rank)
{
    while (m_class[rank] != rank) {
        m_class[rank] = m_class[m_class[rank]];
        rank = m_class[rank];
    }
    return rank;
}

/// Nodes that stand for parameters, buffers and constants of one storage.
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

} // namespace sunder
