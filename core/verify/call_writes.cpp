#include "verify/call_writes.h"

#include "operators/operator_target.h"

#include <algorithm>

namespace sunder {
namespace {

/// Removes duplicates and keeps argument order, so that equal calls of both programs list the same values.
void keepFirst(std::vector<ValueId>& values)
{
    std::vector<ValueId> kept;
    for (const ValueId value : values)
        if (std::ranges::find(kept, value) == kept.end())
            kept.push_back(value);
    values = std::move(kept);
}

/// Above this number of values, sorting replaces the quadratic removal of duplicates.
constexpr std::size_t kFewValues = 64;

} // namespace

void CallWrites::collectWrites(const CallFacts& does, const TracedCall& call, std::vector<ValueId>& written) const
{
    m_draft.collectSlots(does.written, call, written);
    if (written.size() > kFewValues) {
        std::ranges::sort(written);
        written.erase(std::unique(written.begin(), written.end()), written.end());
    } else {
        keepFirst(written);
    }
}

bool CallWrites::changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                  const TracedCall& call) const
{
    const auto isContainer = [&](std::uint32_t slot) { return m_draft.at(call.slot(slot)).kind == ValueKind::container; };
    if (facts.known) // operators write to tensors in a list, Python functions to the list itself
        return facts.isPython && std::ranges::any_of(does.written, isContainer)
            && !operatorName(node.target.view()).name.starts_with("_foreach_");
    // A list literal belongs to this call; a list from another node may be modified for later calls.
    const NodeArguments given(node);
    return std::ranges::any_of(does.written, [&](std::uint32_t slot) {
        return isContainer(slot) && slot < given.slotCount() && given.argument(slot).is(ArgumentKind::node);
    });
}

void CallWrites::collectMarked(const TraceFrame& frame, const Node& node, const TracedCall& call,
                               std::vector<ValueId>& marked) const
{
    if (!node.meta.mutated)
        return;
    std::vector<NodeId> nodes;
    forEachNode(node.args, node.kwargs, [&](NodeId input) { nodes.push_back(input); });
    for (const std::int32_t position : *node.meta.mutated) {
        if (position >= 0 && static_cast<std::size_t>(position) < nodes.size())
            m_draft.collectLeaves(frame.values[nodes[static_cast<std::size_t>(position)].index()], marked);
        else
            m_draft.collectAll(call, marked);
    }
    std::ranges::sort(marked);
    marked.erase(std::unique(marked.begin(), marked.end()), marked.end());
}

} // namespace sunder
