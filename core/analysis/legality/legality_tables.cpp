#include "analysis/legality/legality_tables.h"

#include "analysis/run_order/bystanders.h"
#include "analysis/sizes.h"
#include "ir/value_kind.h"

namespace sunder {
namespace {

BoundaryKind boundaryKindOf(const Node& node)
{
    if (!node.meta.val)
        return BoundaryKind::tensor;
    const Argument& val = *node.meta.val;
    if (val.is(ArgumentKind::tensor))
        return BoundaryKind::tensor;
    if (holdsTensor(val))
        return BoundaryKind::tuple;
    const std::string_view number = numberKind(val);
    if (number.empty())
        return BoundaryKind::other;
    return number.starts_with("symbolic") ? BoundaryKind::symbolicSize : BoundaryKind::number;
}

void numberCalls(const Program& program, LegalityTables& tables)
{
    const Graph& graph = program.rootGraph();
    const std::vector<char> bystanders = bystandersOf(program, program.root);
    tables.callOf.assign(graph.idBound(), LegalityTables::kNone);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (!node.isCall())
            continue;
        tables.callOf[id.index()] = tables.callCount();
        tables.nodes.push_back(id);
        tables.bytes.push_back(node.meta.val ? byteSize(*node.meta.val).value_or(0) : 0);
        tables.kinds.push_back(boundaryKindOf(node));
        tables.isBystander.push_back(bystanders[id.index()]);
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
    HiddenOrders found = hiddenOrders(program);
    Rows calls; // per order
    for (const HiddenOrder& order : found.pairs) {
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
}

} // namespace

std::string_view name(BoundaryKind kind)
{
    switch (kind) {
    case BoundaryKind::tensor: return "tensor";
    case BoundaryKind::tuple: return "tuple";
    case BoundaryKind::symbolicSize: return "symbolic_size";
    case BoundaryKind::number: return "number";
    case BoundaryKind::other: break;
    }
    return "other";
}

LegalityTables legalityTables(const Program& program)
{
    LegalityTables tables;
    numberCalls(program, tables);
    addEdges(program.rootGraph(), tables);
    addMemories(program, tables);
    addOrders(program, tables);
    return tables;
}

} // namespace sunder
