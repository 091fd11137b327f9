#pragma once

#include "operators/known_call_facts.h"
#include "verify/call_spelling.h"
#include "verify/call_writes.h"
#include "verify/step_writer.h"
#include "verify/trace_memory.h"

namespace sunder {

/// What a trace needs to write calls down: all of it refers to one draft.
struct CallParts {
    TraceDraft& draft;
    TraceContainers& containers;
    FileDescriptions& descriptions;
    TraceMemory& memory;
    const CallWrites& writes;
    StepWriter& steps;
    CallSpelling& spelling;
};

/// Calls of operators, functions and methods: what they read, write and return.
class OperatorCalls final {
public:
    explicit OperatorCalls(const CallParts& parts)
        : m_draft(parts.draft), m_containers(parts.containers), m_descriptions(parts.descriptions), m_memory(parts.memory),
          m_writes(parts.writes), m_steps(parts.steps)
    {
    }

    /// The result of a call that is written down as a step, unless it is known without one.
    ValueId primitive(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call, TermId target);
    /// What a call does with these arguments.
    [[nodiscard]] CallFacts factsOf(const OperatorFacts& facts, const TracedCall& call);

private:
    [[nodiscard]] CallRole roleOf(const Node& node, const OperatorFacts& facts, const TracedCall& call) const;
    /// Whether a call asks for an attribute that hangs on more than what a tensor holds.
    [[nodiscard]] bool asksHistory(const Node& node, const TracedCall& call) const;
    [[nodiscard]] TermId sizeOfInput(const Node& node, const TracedCall& call) const;
    /// Whether a call reads an item or a property of what may be a list, dict or set that changes.
    [[nodiscard]] bool mayAskContainer(const TraceFrame& frame, const Node& node, CallRole role, const TracedCall& call) const;
    /// Whether an argument may be a number, a list, or an array, which functions of tensors refuse.
    [[nodiscard]] bool mayBeNoTensor(const TraceFrame& frame, const Node& node, std::size_t slot) const;
    void describeStep(TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                      const TracedCall& call, Step& step);
    void aliasResult(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const CallFacts& does,
                     const TracedCall& call, const Step& step);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    FileDescriptions& m_descriptions;
    TraceMemory& m_memory;
    const CallWrites& m_writes;
    StepWriter& m_steps;
    KnownCallFacts m_known;
};

/// torch.cond: its result is what one of its graphs gives.
bool isCond(const Node& node);

} // namespace sunder
