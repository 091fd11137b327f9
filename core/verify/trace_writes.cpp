// What calls in a trace write to.
#include "operators/operator_target.h"
#include "verify/trace_builder.h"

#include <algorithm>

namespace sunder {
namespace {

/// Each value once, in the order of the arguments: equal calls of two programs list the same.
void keepFirst(std::vector<ValueId>& values)
{
    std::vector<ValueId> kept;
    for (const ValueId value : values)
        if (std::ranges::find(kept, value) == kept.end())
            kept.push_back(value);
    values = std::move(kept);
}

/// Argument lists can be long, and so can what they hold: past this many, order by number is as good.
constexpr std::size_t kFewValues = 64;

} // namespace

void TraceBuilder::collectAll(const Call& call, std::vector<ValueId>& leaves) const
{
    for (const ValueId value : call.positional)
        collectLeaves(value, leaves);
    for (const auto& keyword : call.keywords)
        collectLeaves(keyword.second, leaves);
}

void TraceBuilder::collectSlots(std::span<const std::uint32_t> slots, const Call& call, std::vector<ValueId>& leaves) const
{
    for (const std::uint32_t slot : slots)
        collectLeaves(call.slot(slot), leaves);
}

void TraceBuilder::collectWrites(const CallFacts& does, const Call& call, std::vector<ValueId>& written) const
{
    collectSlots(does.written, call, written);
    if (written.size() > kFewValues) {
        std::ranges::sort(written);
        written.erase(std::unique(written.begin(), written.end()), written.end());
    } else {
        keepFirst(written);
    }
}

void TraceBuilder::markWritten(const CallFacts& does, const Call& call, std::span<const ValueId> written)
{
    for (const ValueId value : written)
        m_trace.regions.markWritten(at(value).region);
    std::vector<ValueId> reshaped;
    collectSlots(does.reshaped, call, reshaped);
    for (const ValueId value : reshaped)
        m_trace.regions.markReshaped(at(value).region);
}

bool TraceBuilder::changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does, const Call& call) const
{
    const auto isContainer = [&](std::uint32_t slot) { return at(call.slot(slot)).kind == ValueKind::container; };
    if (facts.known) // operators write to the tensors in a list, functions of Python to the list
        return facts.isPython && std::ranges::any_of(does.written, isContainer)
            && !operatorName(node.target.view()).name.starts_with("_foreach_");
    // A list that stands in the call is made for it; one that another node made may be changed for later calls.
    const NodeArguments given(node);
    return std::ranges::any_of(does.written, [&](std::uint32_t slot) {
        return isContainer(slot) && slot < given.slotCount() && given.argument(slot).is(ArgumentKind::node);
    });
}

void TraceBuilder::collectMarked(Frame& frame, const Node& node, const Call& call, std::vector<ValueId>& marked) const
{
    if (!node.meta.mutated)
        return;
    std::vector<NodeId> nodes;
    forEachNode(node.args, node.kwargs, [&](NodeId input) { nodes.push_back(input); });
    for (const std::int32_t position : *node.meta.mutated) {
        if (position >= 0 && static_cast<std::size_t>(position) < nodes.size())
            collectLeaves(frame.values[nodes[static_cast<std::size_t>(position)].index()], marked);
        else
            collectAll(call, marked);
    }
    std::ranges::sort(marked);
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
}

} // namespace sunder
