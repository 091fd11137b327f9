#include "verify/step_writer.h"

#include "operators/operator_library.h"
#include "support/sort_unique.h"

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

std::uint32_t StepWriter::pushStep(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call, ValueId result,
                                   Keeping keeping)
{
    m_descriptions.checkArguments(frame, call);
    std::vector<ValueId> all = call.positional;
    std::vector<TermId> keys;
    for (const auto& [key, value] : call.keywords) {
        all.push_back(value);
        keys.push_back(m_draft.terms.text(key));
    }
    for (ValueId& value : all) {
        if (keeping == Keeping::possible)
            m_containers.handOut(value);
        value = m_containers.snapshot(value);
    }
    Step step{.target = target, .node = {frame.graph, id}, .arguments = m_draft.pool(all), .result = result};
    step.keywords = keys.empty() ? TermTable::nothing() : m_containers.shapeOf(ArgumentKind::dict, {}, keys);
    step.state = m_draft.state.term();
    step.mayCast = m_draft.state.mayCast();
    step.gradientState = m_draft.state.gradientTerm();
    m_draft.trace.steps.push_back(step);
    m_draft.work += all.size();
    return static_cast<std::uint32_t>(m_draft.trace.steps.size() - 1);
}

void StepWriter::emitEffect(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call)
{
    const std::uint32_t step = pushStep(frame, id, target, call, m_draft.leaf({}));
    m_draft.trace.steps[step].role = CallRole::effect;
}

void StepWriter::noteUnknown(Op op, InternedString target)
{
    if (!m_draft.noteOnce(target))
        return;
    m_draft.trace.notes.push_back(
        (op == Op::callMethod ? "method " : "") + target.str()
        + " is unknown: it is assumed to write to and return any tensor that it can reach, to draw random"
          " numbers, and to have side effects");
    if (target.view().starts_with("torch.ops."))
        m_draft.trace.unknownOperators.push_back(target.str());
}

void StepWriter::collectWrites(const CallFacts& does, const TracedCall& call, std::vector<ValueId>& written) const
{
    m_draft.collectSlots(does.written, call, written);
    if (written.size() > kFewValues) {
        sortUnique(written);
    } else {
        keepFirst(written);
    }
}

bool StepWriter::changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
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

void StepWriter::collectMarked(const TraceFrame& frame, const Node& node, const TracedCall& call,
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
    sortUnique(marked);
}

} // namespace sunder
