#include "passes/deduplicate/memory_classes.h"

#include "analysis/sizes.h"
#include "ir/value_kind.h"
#include "support/flat_map.h"
#include "verify/leaf_module_facts.h"

#include <numeric>

namespace sunder {

MemoryClasses::MemoryClasses(const Program& program, const RankedGraph& graph, Doubt doubt)
    : m_graph(graph), m_class(graph.size())
{
    std::iota(m_class.begin(), m_class.end(), 0U);
    OperatorCatalogue catalogue;
    FlatMap<std::uint32_t> firstIn; ///< storage → first rank in it
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        const Node& node = graph.node(rank);
        const bool known = node.meta.val && forEachStorage(*node.meta.val, [&](InternedString storage) {
            merge(rank, firstIn.emplace(storage, rank).first);
        });
        if (known || !node.isCall())
            continue;
        if (node.op != Op::callModule) {
            mergeCall(rank, catalogue.of(node.op, node.target), doubt);
        } else {
            const ModuleId called = program.modules.resolve(node.target.view());
            const bool leaf = called && !program.modules[called].graph && !program.modules[called].calls;
            mergeCall(rank, {.aliasing = leaf ? leafModuleFacts(program.modules[called].cls.view()).aliasing : Aliasing::maybeAny}, doubt);
        }
    }
    mergeTensors(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        m_class[rank] = find(rank);
}

void MemoryClasses::mergeCall(std::uint32_t rank, const OperatorFacts& facts, Doubt doubt)
{
    if (facts.role == CallRole::query || facts.role == CallRole::assertion)
        return;
    const auto inputs = m_graph.inputs(rank);
    const bool first = facts.aliasing == Aliasing::view || facts.aliasing == Aliasing::maybe || facts.returnsFirst
        || facts.role == CallRole::getItem || facts.write == WriteRule::first;
    if (facts.aliasing == Aliasing::maybeAny && doubt == Doubt::merge)
        for (const std::uint32_t input : inputs)
            merge(rank, input);
    else if (first && !inputs.empty())
        merge(rank, inputs.front());
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
