#include "analysis/legality/legality_tables.h"

#include "analysis/legality/handed_values.h"
#include "analysis/run_order/call_effects.h"
#include "analysis/sizes.h"

#include <algorithm>

namespace sunder {
namespace {

void numberCalls(const Program& program, LegalityTables& tables)
{
    const Graph& graph = program.rootGraph();
    const std::vector<char> deadNodes = deadAndAssertNodes(program, program.root);
    OperatorCatalog operators(program);
    const std::vector<BoundaryKind> kinds = boundaryKinds(graph, operators);
    tables.callOf.assign(graph.idBound(), LegalityTables::kNone);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        tables.callOf[id.index()] = tables.callCount();
        tables.nodes.push_back(id);
        tables.bytes.push_back(node.meta.val ? byteSize(*node.meta.val).value_or(0) : 0);
        tables.kinds.push_back(kinds[id.index()]);
        tables.isDeadNode.push_back(deadNodes[id.index()]);
    }
}

void addEdges(const Graph& graph, LegalityTables& tables)
{
    Rows producers; // per edge
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        tables.edgesOf.push_back(static_cast<std::uint32_t>(tables.edges.size()));
        for (const NodeId input : graph.inputs(tables.nodes[call]))
            if (const std::uint32_t from = tables.callOf[input.index()]; from != LegalityTables::kNone) {
                tables.edges.push_back({from, call});
                producers.add(from);
                producers.endRow();
            }
    }
    tables.edgesOf.push_back(static_cast<std::uint32_t>(tables.edges.size()));
    tables.usesOf = producers.inverted(tables.callCount());
}

void addMemories(const Program& program, LegalityTables& tables)
{
    const MemoryTable memory = memoryTable(program.tensors);
    const MemoryReads reads(program, memory);
    for (const NodeId id : tables.nodes) {
        for (const std::uint32_t at : reads.of(id))
            tables.memories.add(at);
        tables.memories.endRow();
    }
    tables.memoryReaders = tables.memories.inverted(memory.bytes.size());
    tables.memoryBytes = memory.bytes;
    tables.tensorOfMemory = memory.firstTensor;
}

void addOrders(const Program& program, LegalityTables& tables)
{
    OrderDependencies found = orderDependencies(program);
    Rows calls; // per order
    for (const OrderDependency& order : found.pairs) {
        const std::uint32_t before = tables.callOf[order.before.index()];
        const std::uint32_t after = tables.callOf[order.after.index()];
        tables.orderedCalls.push_back({before, after});
        calls.add(before);
        calls.add(after);
        calls.endRow();
    }
    tables.orders = std::move(found.pairs);
    tables.ordersOf = calls.inverted(tables.callCount());
    for (const StateChange& change : found.states) {
        tables.setters.push_back(tables.callOf[change.node.index()]);
        tables.stateBehind.push_back(change.state);
    }
    std::uint32_t setters = 0;
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        tables.noticesState.push_back(tables.setters.empty() ? 0 : found.noticesState[tables.nodes[call].index()]);
        tables.settersBefore.push_back(setters);
        if (setters < tables.setters.size() && tables.setters[setters] == call)
            ++setters;
    }
    tables.globalSetters = globalSetters(program, found.states);
    tables.written = std::move(found.written);
}

void addUses(LegalityTables& tables)
{
    Rows calls; // per written memory
    const auto callOf = [&tables](NodeId id) { return id ? tables.callOf[id.index()] : LegalityTables::kNone; };
    for (const WrittenMemory& memory : tables.written) {
        std::vector<LegalityTables::CallUse>& uses = tables.uses.emplace_back();
        for (const MemoryUse& use : memory.uses) {
            uses.push_back({.call = callOf(use.call), .origin = callOf(use.value)});
            for (const std::uint32_t call : {uses.back().call, uses.back().origin})
                if (call != LegalityTables::kNone)
                    calls.add(tables.ownerOf[call]);
        }
        calls.endRow();
    }
    tables.writtenOf = calls.inverted(tables.callCount());
}

/// Finds values that parts of an exported program cannot pass on: values of unsupported kinds, and those needed to recompute
/// numbers.
class BoundValueFinder {
public:
    BoundValueFinder(const Graph& graph, const HandedValues& handed, LegalityTables& tables)
        : m_graph(graph), m_handed(handed), m_tables(tables), m_needed(tables.callCount())
    {
    }

    void run()
    {
        for (std::uint32_t call = 0; call < m_tables.callCount(); ++call)
            for (std::uint32_t edge = m_tables.edgesOf[call]; edge < m_tables.edgesOf[call + 1]; ++edge)
                add(m_tables.edges[edge].from, call);
        const NodeId output = m_graph.output();
        for (const NodeId result :
             output ? std::vector<NodeId>(m_graph.inputs(output).begin(), m_graph.inputs(output).end()) : std::vector<NodeId>())
            if (m_graph[result].isCall() && returnsSeveral(m_graph[result]))
                m_tables.boundValues.push_back({m_tables.callOf[result.index()], LegalityTables::kNone});
    }

private:
    static constexpr std::size_t kMaxNeeded = 64; ///< inputs from which one number is recomputed

    [[nodiscard]] Handing handing(std::uint32_t call) const { return m_handed.handings[m_tables.nodes[call].index()]; }

    /// A region is entered and left within the same part, so its setters are skipped.
    void add(std::uint32_t value, std::uint32_t reader)
    {
        if (std::ranges::binary_search(m_tables.setters, value) && std::ranges::binary_search(m_tables.setters, reader))
            return;
        if (handing(value) == Handing::never)
            bind(value, reader);
        if (handing(value) == Handing::again)
            for (const std::uint32_t needed : m_needed[value])
                bind(needed, reader);
    }

    void bind(std::uint32_t value, std::uint32_t reader)
    {
        if (m_tables.ownerOf[value] == m_tables.ownerOf[reader])
            return;
        m_tables.boundValues.push_back({value, reader});
        std::vector<std::uint32_t>& needed = m_needed[reader];
        if (handing(reader) == Handing::again && needed.size() < kMaxNeeded && std::ranges::find(needed, value) == needed.end())
            needed.push_back(value);
    }

    const Graph& m_graph;
    const HandedValues& m_handed;
    LegalityTables& m_tables;
    std::vector<std::vector<std::uint32_t>> m_needed; ///< per recomputed call: the inputs that cannot be passed
};

void addBoundValues(const Program& program, LegalityTables& tables)
{
    for (std::uint32_t call = 0; call < tables.callCount(); ++call)
        tables.ownerOf.push_back(call);
    if (program.signature) {
        const HandedValues handed = handedValues(program, tables.written);
        for (std::uint32_t call = 0; call < tables.callCount(); ++call)
            tables.ownerOf[call] = tables.callOf[handed.owners[tables.nodes[call].index()].index()];
        BoundValueFinder(program.rootGraph(), handed, tables).run();
    }
    for (const LayoutReader& reader : layoutReaders(program, tables.written))
        tables.boundValues.push_back({tables.callOf[reader.value.index()], tables.callOf[reader.call.index()]});
    std::ranges::stable_sort(tables.boundValues, {}, &LegalityTables::BoundValue::call);
}

} // namespace

LegalityTables legalityTables(const Program& program)
{
    LegalityTables tables;
    numberCalls(program, tables);
    addEdges(program.rootGraph(), tables);
    addMemories(program, tables);
    addOrders(program, tables);
    addBoundValues(program, tables);
    addUses(tables);
    return tables;
}

} // namespace sunder
