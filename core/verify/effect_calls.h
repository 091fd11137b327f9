#pragma once

#include "verify/operator_calls.h"

namespace sunder {

/// Traces operators that are called through with_effects.
class EffectCalls final {
public:
    EffectCalls(const CallParts& parts, OperatorCalls& operators)
        : m_draft(parts.draft), m_containers(parts.containers), m_descriptions(parts.descriptions), m_memory(parts.memory),
          m_writes(parts.writes), m_steps(parts.steps), m_spelling(parts.spelling), m_operators(operators)
    {
    }

    /// Returns the token and the results of the operator that a node calls.
    ValueId withEffects(TraceFrame& frame, NodeId id, const TracedCall& call);

private:
    ValueId effectResults(TraceFrame& frame, NodeId id, ValueId token, ValueId result);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    FileDescriptions& m_descriptions;
    TraceMemory& m_memory;
    const CallWrites& m_writes;
    StepWriter& m_steps;
    CallCanonicalizer& m_spelling;
    OperatorCalls& m_operators;
};

} // namespace sunder
