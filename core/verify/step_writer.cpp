#include "verify/step_writer.h"

namespace sunder {

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

} // namespace sunder
