#include "analysis/run_order/memory_accesses.h"

#include "operators/call_facts.h"
#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <numeric>
#include <utility>

namespace sunder {

MemoryLocations::MemoryLocations(const Program& program, const RankedGraph& graph, const MemoryClasses& classes,
                                 MemoryTable table, MemoryReads reads)
    : state(graph.size()), random(state + 1), effects(state + 2), modules(state + 3), m_table(std::move(table)),
      m_reads(std::move(reads)), m_ofValue(graph.size()), m_ofMemory(m_table.bytes.size())
{
    std::iota(m_ofMemory.begin(), m_ofMemory.end(), modules + 1);
    const std::vector<TensorId> tensors = tensorsOfNodes(program);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        m_ofValue[rank] = classes.of(rank);
        if (const TensorId tensor = tensors[graph.id(rank).index()])
            m_ofMemory[m_table.memoryOf[tensor.index()]] = m_ofValue[rank];
    }
    joinWhatMayShare(program);
}

/// Joins tensors without a storage in the file, which may all share memory.
void MemoryLocations::joinWhatMayShare(const Program& program)
{
    std::vector<std::uint32_t> joined(count());
    std::iota(joined.begin(), joined.end(), 0U);
    std::uint32_t first = NodeId::kInvalid;
    for (std::size_t i = 0; i < program.tensors.size(); ++i) {
        const TensorId tensor(i);
        if (program.tensors[program.tensors.object(tensor)].storage.isValid())
            continue;
        if (first == NodeId::kInvalid)
            first = ofTensor(tensor);
        else if (ofTensor(tensor) != first)
            joined[ofTensor(tensor)] = m_joined = first;
    }
    if (m_joined == NodeId::kInvalid)
        return;
    for (std::vector<std::uint32_t>* const locations : {&m_ofValue, &m_ofMemory})
        for (std::uint32_t& location : *locations)
            location = joined[location];
}

MemoryAccesses::MemoryAccesses(const RankedGraph& graph, MemoryLocations locations)
    : m_graph(graph), m_locations(std::move(locations)), m_effects(graph.size()), m_writesHeld(graph.size(), 0),
      m_usesFormOnly(graph.size(), 0), m_isWritten(m_locations.count(), 0), m_isReshaped(m_locations.count(), 0),
      m_lists(m_locations.count())
{
}

MemoryAccesses::MemoryAccesses(const Program& program, const RankedGraph& graph, const MemoryClasses& classes)
    : MemoryAccesses(*build(program, graph, classes, ProgressMonitor::none()))
{
}

Result<MemoryAccesses> MemoryAccesses::build(const Program& program, const RankedGraph& graph, const MemoryClasses& classes,
                                             ProgressMonitor& monitor)
{
    MemoryTable table = memoryTable(program.tensors);
    SUNDER_TRY(MemoryReads reads, MemoryReads::build(program, table, monitor));
    MemoryAccesses accesses(graph, MemoryLocations(program, graph, classes, std::move(table), std::move(reads)));
    SUNDER_PROPAGATE(accesses.findEffects(program, monitor));
    StepMonitor steps(monitor);
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
        SUNDER_PROPAGATE(steps.step());
        accesses.listAccesses(rank);
        accesses.m_lists.endNode();
    }
    return accesses;
}

Result<void> MemoryAccesses::findEffects(const Program& program, ProgressMonitor& monitor)
{
    EffectFinder finder(program);
    OperatorCatalog catalogue(program);
    StepMonitor steps(monitor);
    for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank) {
        SUNDER_PROPAGATE(steps.step());
        m_effects[rank] = finder.of(m_graph.node(rank));
        const bool reshapes = noteForm(catalogue, rank);
        noteWrites(rank, reshapes || !m_effects[rank].known);
    }
    return {};
}

/// Returns whether the call changes the shape of a memory.
bool MemoryAccesses::noteForm(OperatorCatalog& catalogue, std::uint32_t rank)
{
    const Node& node = m_graph.node(rank);
    if (node.op != Op::callFunction && node.op != Op::callMethod)
        return false;
    const OperatorFacts& facts = catalogue.of(node);
    const CallFacts does = callFacts(facts, NodeArguments(node));
    const bool isView = does.result == ResultMemory::view || does.result == ResultMemory::is;
    const bool readsOne = facts.known && does.written.empty() && m_graph.inputs(rank).size() == 1;
    if (facts.role == CallRole::query || sunder::usesFormOnly(node) || (isView && readsOne))
        m_usesFormOnly[rank] = 1;
    return !does.reshaped.empty() || !does.resized.empty();
}

void MemoryAccesses::noteWrites(std::uint32_t rank, bool mayReshape)
{
    const CallEffects& does = m_effects[rank];
    const auto note = [&](std::uint32_t location) {
        m_isWritten[location] = 1;
        m_isReshaped[location] = m_isReshaped[location] != 0 || mayReshape ? 1 : 0;
    };
    for (const NodeId id : does.written)
        note(m_locations.ofValue(m_graph.rank(id)));
    if (does.writesBuffers || (does.writesHeld && m_locations.readsAny(m_graph.id(rank)))) {
        m_writesHeld[rank] = 1;
        m_locations.forEachHeld(m_graph.id(rank), note);
    }
    if (does.setsState)
        m_isWritten[m_locations.state] = 1;
}

void MemoryAccesses::listAccesses(std::uint32_t rank)
{
    const CallEffects& does = m_effects[rank];
    const auto use = [&](std::uint32_t location, bool writes = false) {
        if (isWritten(location))
            m_lists.add({.location = location, .writes = writes, .usesFormOnly = !writes && usesFormOnly(rank)});
    };
    use(m_locations.ofValue(rank));
    for (const std::uint32_t input : m_graph.inputs(rank))
        use(m_locations.ofValue(input));
    for (const NodeId id : does.written)
        use(m_locations.ofValue(m_graph.rank(id)), true);
    m_locations.forEachHeld(m_graph.id(rank), [&](std::uint32_t location) { use(location, writesHeld(rank)); });
    if (isWritten(m_locations.state) && m_graph.node(rank).isCall())
        m_lists.add({.location = m_locations.state, .writes = does.setsState});
    if (does.random)
        m_lists.add({.location = m_locations.random, .writes = true});
    if (does.ordered)
        m_lists.add({.location = m_locations.effects, .writes = true});
    if (writesHeld(rank))
        m_lists.add({.location = m_locations.modules, .writes = true});
}

} // namespace sunder
