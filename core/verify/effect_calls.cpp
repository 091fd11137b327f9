#include "verify/effect_calls.h"

#include "ir/getitem.h"

namespace sunder {

ValueId EffectCalls::withEffects(TraceFrame& frame, NodeId id, const TracedCall& call)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    if (node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return m_draft.unknown({frame.graph, id}, "the called operator is unknown");
    const InternedString name = node.args[1].text();
    TracedCall inner;
    inner.positional.assign(call.positional.begin() + 2, call.positional.end());
    inner.keywords = call.keywords;
    const OperatorFacts& facts = m_draft.context.operators.of(Op::callFunction, name);
    m_spelling.spell(inner, facts);
    const CallFacts does = m_operators.factsOf(facts, inner);
    const ValueId result = m_draft.leaf({});
    std::vector<ValueId> written;
    m_writes.collectWrites(does, inner, written);
    const std::uint32_t index = m_steps.pushStep(frame, id, m_draft.functionTarget(name, Op::callFunction), inner, result);
    m_draft.trace.steps[index].role = CallRole::effect;
    m_draft.trace.steps[index].random = does.random;
    m_draft.trace.steps[index].opaque = m_draft.trace.steps[index].wholeState = !facts.known && !m_draft.context.assumePure;
    m_draft.trace.steps[index].written = m_draft.pool(written);
    if (facts.known || !m_memory.liesApart(frame, node))
        m_memory.mergeSlots(does.shared, inner, result);
    m_memory.followWrites(index, does, inner, written, m_descriptions.mayResize(frame, node, does, inner), !facts.known);
    if (!facts.known)
        m_steps.noteUnknown(Op::callFunction, name);
    return effectResults(frame, id, call.positional[0], result);
}

ValueId EffectCalls::effectResults(TraceFrame& frame, NodeId id, ValueId token, ValueId result)
{
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const TermId getItem = m_draft.functionTarget(getitemTarget(), Op::callFunction);
    const std::size_t count = node.meta.val ? node.meta.val->items().size() : 2;
    std::vector<ValueId> items{token};
    if (count == 2)
        items.push_back(result);
    for (std::size_t i = 0; count > 2 && i + 1 < count; ++i) {
        const TracedCall item{{result, m_draft.constant(m_draft.terms.integer(static_cast<std::int64_t>(i)))}, {}};
        const std::uint32_t step = m_steps.pushStep(frame, id, getItem, item, m_draft.leaf({}));
        m_draft.trace.steps[step].role = CallRole::getItem;
        m_draft.trace.steps[step].reading = Reading::firstByLocation;
        m_draft.trace.steps[step].logicalView = true;
        if (m_draft.context.followMemory)
            m_draft.trace.regions.merge(m_draft.at(result).region, m_draft.at(m_draft.trace.steps[step].result).region);
        items.push_back(m_draft.trace.steps[step].result);
    }
    return m_containers.container(m_containers.shapeOf(ArgumentKind::tuple, {}), items);
}

} // namespace sunder
