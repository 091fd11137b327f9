#include "analysis/boundary_kinds.h"

#include "analysis/run_order/memory_classes.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "operators/operator_library.h"

#include <algorithm>

namespace sunder {
namespace {

BoundaryKind kindOfVal(const Argument& val)
{
    if (val.is(ArgumentKind::tensor))
        return BoundaryKind::tensor;
    if (holdsTensor(val))
        return BoundaryKind::tuple;
    const std::string_view number = numberKind(val);
    if (number.empty())
        return BoundaryKind::other;
    return number.starts_with("symbolic") ? BoundaryKind::symbolicSize : BoundaryKind::number;
}

/// Returns whether a target's schema rules out tensor results, so that it returns only numbers and other non-tensors.
bool returnsNoTensor(const OperatorFacts& facts)
{
    const auto isTensor = [](const SchemaArgument& result) {
        return result.type.view().find("Tensor") != std::string_view::npos;
    };
    const auto isNumbers = [&](const OperatorOverload& overload) {
        return !overload.schema.results.empty() && !overload.schema.returnsMore
            && std::ranges::none_of(overload.schema.results, isTensor);
    };
    return facts.known && !facts.isPython && !facts.overloads.empty() && std::ranges::all_of(facts.overloads, isNumbers);
}

/// Returns whether a node has node inputs and none of them can be a tensor or contain one.
bool takesNoTensor(const Graph& graph, NodeId id, const std::vector<BoundaryKind>& kinds)
{
    const auto isOther = [&](NodeId input) {
        const BoundaryKind kind = kinds[input.index()];
        return (graph[input].isCall() || graph[input].meta.val) && !countsAsTensor(kind) && kind != BoundaryKind::tuple;
    };
    const auto inputs = graph.inputs(id);
    return !inputs.empty() && std::all_of(inputs.begin(), inputs.end(), isOther);
}

} // namespace

std::string_view name(BoundaryKind kind)
{
    switch (kind) {
    case BoundaryKind::tensor: return "tensor";
    case BoundaryKind::unknown: return "unknown";
    case BoundaryKind::tuple: return "tuple";
    case BoundaryKind::symbolicSize: return "symbolic_size";
    case BoundaryKind::number: return "number";
    case BoundaryKind::other: break;
    }
    return "other";
}

std::vector<BoundaryKind> boundaryKinds(const Graph& graph, OperatorCatalog& operators)
{
    std::vector<BoundaryKind> kinds(graph.idBound(), BoundaryKind::tensor);
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        BoundaryKind& kind = kinds[id.index()];
        if (node.meta.val) {
            kind = kindOfVal(*node.meta.val);
            continue;
        }
        kind = BoundaryKind::unknown;
        if (node.op != Op::callFunction && node.op != Op::callMethod)
            continue;
        const OperatorFacts& facts = operators.of(node.op, node.target);
        if (facts.role == CallRole::query || facts.role == CallRole::enter || usesFormOnly(node))
            kind = BoundaryKind::other;
        else if (returnsNoTensor(facts)
                 || ((isGetitem(node) || isSymbolicTarget(node.target.view())) && takesNoTensor(graph, id, kinds)))
            kind = BoundaryKind::number;
        else if (facts.returnsTensor())
            kind = BoundaryKind::tensor;
    }
    return kinds;
}

bool hasNoValues(const Graph& graph)
{
    bool hasCalls = false;
    for (const NodeId id : graph.nodes()) {
        if (graph[id].meta.val)
            return false;
        hasCalls = hasCalls || graph[id].isCall();
    }
    return hasCalls;
}

} // namespace sunder
