#pragma once

#include "operators/module_facts.h"
#include "verify/operator_calls.h"
#include "verify/traced_attributes.h"

namespace sunder {

/// Traces calls of leaf modules. Each is one step that takes the tensors of the module as additional arguments.
class LeafModuleCalls final {
public:
    LeafModuleCalls(const CallParts& parts, TracedAttributes& attributes)
        : m_draft(parts.draft), m_memory(parts.memory), m_writes(parts.writes), m_steps(parts.steps), m_attributes(attributes)
    {
    }

    ValueId leafModule(TraceFrame& frame, NodeId id, ModuleId module, const TracedCall& call);

private:
    ModuleCallFacts factsOf(const TraceFrame& frame, const Node& node, ModuleId module, const TracedCall& call);
    [[nodiscard]] TermId moduleTarget(ModuleId module);
    void noteModule(const Module& module, const ModuleCallFacts& does);

    TraceDraft& m_draft;
    TraceMemory& m_memory;
    const CallWrites& m_writes;
    StepWriter& m_steps;
    TracedAttributes& m_attributes;
    ModuleFacts m_leaves{m_draft.program};
};

} // namespace sunder
