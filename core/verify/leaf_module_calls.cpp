#include "verify/leaf_module_calls.h"

#include "ir/value_kind.h"
#include "verify/bound_arguments.h"

#include <algorithm>

namespace sunder {

ModuleCallFacts LeafModuleCalls::factsOf(const TraceFrame& frame, const Node& node, ModuleId module, const TracedCall& call)
{
    const BoundArguments given(m_draft.trace, m_draft.terms, call);
    if (m_draft.context.assumePure) {
        ModuleCallFacts does = m_leaves.of(module, given, MissingAttribute::off);
        if (does.known)
            return does;
        return {
            .call = {
                .written = {}, .reshaped = {}, .resized = {}, .result = does.call.result, .shared = std::move(does.call.shared)}};
    }
    ModuleCallFacts does = m_leaves.of(module, given);
    // A result that does not share memory with its argument was not computed in place.
    if (does.known && does.asksAttributes && !does.call.written.empty() && m_memory.liesApart(frame, node))
        does.call.written.clear();
    return does;
}

ValueId LeafModuleCalls::leafModule(TraceFrame& frame, NodeId id, ModuleId module, const TracedCall& call)
{
    const Module& called = m_draft.program.modules[module];
    const Node& node = m_draft.program.graph(frame.graph).node(id);
    const ModuleCallFacts does = factsOf(frame, node, module, call);
    const bool changesItself = does.writesBuffers || does.writesParameters;
    const ValueId itself = does.call.result == ResultMemory::is ? call.slot(does.call.shared.front()) : ValueId();
    if (itself.isValid() && does.call.written.empty() && !does.call.random && !changesItself)
        return itself;
    TracedCall whole = call;
    std::vector<ValueId> written;
    std::vector<ValueId> own;
    m_writes.collectWrites(does.call, call, written);
    const std::string_view prefix = called.path.view();
    for (const TensorId id_ : m_draft.context.mapping.tensorsBelow(m_draft.side, module)) {
        const ValueId value = m_attributes.tensor(id_);
        const std::string_view fqn = m_draft.program.tensors[id_].fqn.view();
        whole.keywords.emplace_back(intern(fqn.substr(prefix.size())), value); // ".weight": a keyword cannot contain a dot
        const bool isBuffer = m_draft.program.tensors[m_draft.program.tensors.object(id_)].role == TensorRole::buffer;
        if (isBuffer ? does.writesBuffers : does.writesParameters)
            written.push_back(value);
        own.push_back(value);
    }
    std::ranges::sort(whole.keywords, {}, [](const auto& keyword) { return keyword.first.view(); });

    const bool returnsArgument = itself.isValid() && m_draft.at(itself).kind == ValueKind::leaf;
    const ValueId result = returnsArgument ? itself : m_draft.leaf({});
    const std::uint32_t index = m_steps.pushStep(frame, id, moduleTarget(module), whole, result);
    Step& step = m_draft.trace.steps[index];
    step.opaque = !does.known && !m_draft.context.assumePure;
    step.role = does.guards ? CallRole::assertion : step.opaque ? CallRole::effect : CallRole::function;
    step.reading = does.guards ? Reading::locations : Reading::contents;
    step.random = does.call.random;
    step.failsByForm = does.call.failsByForm;
    step.wholeState = step.opaque;
    step.readsLayout = readsLayout(CallRole::function, does.call);
    step.asksFile = does.asksAttributes;
    step.written = m_draft.pool(written);
    if (m_draft.context.followMemory) {
        if (!returnsArgument)
            m_memory.mergeSlots(does.call.shared, call, result);
        if (does.returnsTensors)
            for (const ValueId value : own)
                m_draft.trace.regions.merge(m_draft.at(value).region, m_draft.at(result).region);
        for (const ValueId value : written)
            m_draft.trace.regions.markWritten(m_draft.at(value).region);
        if (!does.known && !written.empty())
            m_memory.mergeAll(call, written.front());
    }
    if (node.meta.val)
        m_memory.alignWith(frame, result, *node.meta.val,
                           returnsArgument ? TraceMemory::Alignment::distrust : TraceMemory::Alignment::merge);
    noteModule(called, does);
    return result;
}

/// Identifies a module by class and path, and by its attributes if both files list them.
TermId LeafModuleCalls::moduleTarget(ModuleId module)
{
    const Module& called = m_draft.program.modules[module];
    m_draft.terms.learn(called.cls);
    std::vector<TermId> facts{m_draft.terms.text(m_draft.context.mapping.modulePath(m_draft.side, module))};
    if (m_draft.context.mapping.knowsAttributes(m_draft.side, module))
        for (const ModuleAttribute& attribute : m_leaves.inResult(module)) {
            facts.push_back(m_draft.terms.text(attribute.name));
            facts.push_back(m_draft.terms.literal(attribute.value));
        }
    return m_draft.terms.make({.kind = TermKind::module, .head = called.cls.id()}, facts);
}

void LeafModuleCalls::noteModule(const Module& module, const ModuleCallFacts& does)
{
    if ((does.known && !does.asksAttributes) || !m_draft.noteOnce(module.path))
        return;
    const std::string which = "module " + module.path.str() + (module.cls.empty() ? "" : " (class " + module.cls.str() + ")");
    if (!does.known)
        m_draft.trace.notes.push_back(
            which
            + " is unknown: it is assumed to write to and return any tensor that it can reach, to draw random"
              " numbers, and to have side effects");
    else if (!does.call.written.empty() || does.call.random || does.writesBuffers || does.writesParameters)
        m_draft.trace.notes.push_back(which
                                      + " is assumed to do everything that its class can do: the file does not record whether it"
                                        " is in training mode or works in place");
}

} // namespace sunder
