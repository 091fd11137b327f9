// Calls in a trace of leaf modules, and of operators that with_effects calls.
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "verify/trace_builder.h"

#include <algorithm>
#include <string>
#include <vector>

namespace sunder {

ValueId TraceBuilder::leafModule(Frame& frame, NodeId id, ModuleId module, const Call& call)
{
    const Module& called = m_program.modules[module];
    const Node& node = m_program.graph(frame.graph).node(id);
    const ModuleCallFacts does = factsOf(frame, node, module, call);
    const bool changesItself = does.writesBuffers || does.writesParameters;
    const ValueId itself = does.call.result == ResultMemory::is ? call.slot(does.call.shared.front()) : ValueId();
    if (itself.isValid() && does.call.written.empty() && !does.call.random && !changesItself)
        return itself;
    Call whole = call;
    std::vector<ValueId> written;
    std::vector<ValueId> own;
    collectWrites(does.call, call, written);
    const std::string_view prefix = called.path.view();
    for (const TensorId id_ : m_context.correspondence.tensorsBelow(m_side, module)) {
        const ValueId value = tensor(id_);
        const std::string_view fqn = m_program.tensors[id_].fqn.view();
        whole.keywords.emplace_back(intern(fqn.substr(prefix.size())), value); // ".weight": no keyword has a dot
        const bool isBuffer = m_program.tensors[m_program.tensors.object(id_)].role == TensorRole::buffer;
        if (isBuffer ? does.writesBuffers : does.writesParameters)
            written.push_back(value);
        own.push_back(value);
    }
    std::ranges::sort(whole.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });

    const bool returnsArgument = itself.isValid() && at(itself).kind == ValueKind::leaf;
    const ValueId result = returnsArgument ? itself : leaf({});
    const std::uint32_t index = pushStep(frame, id, moduleTarget(module), whole, result);
    Step& step = m_trace.steps[index];
    step.opaque = !does.known && !m_context.trustsUnknown;
    step.role = does.guards ? CallRole::assertion : step.opaque ? CallRole::effect : CallRole::function;
    step.reading = does.guards ? Reading::locations : Reading::contents;
    step.random = does.call.random;
    step.failsByForm = does.call.failsByForm;
    step.wholeState = step.opaque;
    step.readsLayout = readsLayout(CallRole::function, does.call);
    step.asksFile = does.asksAttributes;
    step.written = pool(written);
    if (m_context.followMemory) {
        if (!returnsArgument)
            mergeSlots(does.call.shared, call, result);
        if (does.returnsTensors)
            for (const ValueId value : own)
                m_trace.regions.merge(at(value).region, at(result).region);
        for (const ValueId value : written)
            m_trace.regions.markWritten(at(value).region);
        if (!does.known && !written.empty())
            mergeAll(call, written.front());
    }
    if (node.meta.val)
        alignWith(frame, result, *node.meta.val, returnsArgument ? Alignment::distrust : Alignment::merge);
    noteModule(called, does);
    return result;
}

/// The module by class and path, and by what the files say of it where both do.
TermId TraceBuilder::moduleTarget(ModuleId module)
{
    const Module& called = m_program.modules[module];
    m_terms.learn(called.cls);
    std::vector<TermId> facts{m_terms.text(m_context.correspondence.modulePath(m_side, module))};
    if (m_context.correspondence.knowsAttributes(m_side, module))
        for (const ModuleAttribute& attribute : m_leaves.inResult(module)) {
            facts.push_back(m_terms.text(attribute.name));
            facts.push_back(m_terms.literal(attribute.value));
        }
    return m_terms.make({.kind = TermKind::module, .head = called.cls.id()}, facts);
}

void TraceBuilder::noteModule(const Module& module, const ModuleCallFacts& does)
{
    if ((does.known && !does.asksAttributes) || !m_noted.insert(module.path).second)
        return;
    const std::string which = "module " + module.path.str() + (module.cls.empty() ? "" : ", a " + module.cls.str() + ",");
    if (!does.known)
        m_trace.notes.push_back(which
                                + " is not known: it is taken to write to all tensors that reach it, to hand them on, to draw"
                                  " random numbers and to have effects");
    else if (!does.call.written.empty() || does.call.random || does.writesBuffers || does.writesParameters)
        m_trace.notes.push_back(which
                                + " is taken to do all that one of its class may: the file does not say whether it is in"
                                  " training or writes in place");
}

ValueId TraceBuilder::withEffects(Frame& frame, NodeId id, const Call& call)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    if (node.args.size() < 2 || !node.args[1].is(ArgumentKind::function))
        return unknown({frame.graph, id}, "the operator that it calls is not known");
    const InternedString name = node.args[1].text();
    Call inner;
    inner.positional.assign(call.positional.begin() + 2, call.positional.end());
    inner.keywords = call.keywords;
    const OperatorFacts& facts = m_context.operators.of(Op::callFunction, name);
    const CallFacts does = factsOf(facts, inner);
    const ValueId result = leaf({});
    std::vector<ValueId> written;
    collectWrites(does, inner, written);
    const std::uint32_t index = pushStep(frame, id, functionTarget(name, Op::callFunction), inner, result);
    m_trace.steps[index].role = CallRole::effect;
    m_trace.steps[index].random = does.random;
    m_trace.steps[index].opaque = m_trace.steps[index].wholeState = !facts.known && !m_context.trustsUnknown;
    m_trace.steps[index].written = pool(written);
    if (facts.known || !liesApart(frame, node))
        mergeSlots(does.shared, inner, result);
    followWrites(index, does, inner, written, mayResize(frame, node, does, inner), !facts.known);
    if (!facts.known)
        noteUnknown(Op::callFunction, name);
    return effectResults(frame, id, call.positional[0], result);
}

ValueId TraceBuilder::effectResults(Frame& frame, NodeId id, ValueId token, ValueId result)
{
    const Node& node = m_program.graph(frame.graph).node(id);
    const TermId getItem = functionTarget(getitemTarget(), Op::callFunction);
    const std::size_t count = node.meta.val ? node.meta.val->items().size() : 2;
    std::vector<ValueId> items{token};
    if (count == 2)
        items.push_back(result);
    for (std::size_t i = 0; count > 2 && i + 1 < count; ++i) {
        const Call item{{result, constant(m_terms.integer(static_cast<std::int64_t>(i)))}, {}};
        const std::uint32_t step = pushStep(frame, id, getItem, item, leaf({}));
        m_trace.steps[step].role = CallRole::getItem;
        m_trace.steps[step].reading = Reading::firstByLocation;
        m_trace.steps[step].logicalView = true;
        if (m_context.followMemory)
            m_trace.regions.merge(at(result).region, at(m_trace.steps[step].result).region);
        items.push_back(m_trace.steps[step].result);
    }
    return container(shapeOf(ArgumentKind::tuple, {}), items);
}

} // namespace sunder
