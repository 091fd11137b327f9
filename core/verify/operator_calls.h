#pragma once

#include "operators/known_call_facts.h"
#include "verify/call_canonicalizer.h"
#include "verify/call_writes.h"
#include "verify/step_writer.h"
#include "verify/trace_memory.h"

namespace sunder {

/// References to everything that records calls in one trace draft.
struct CallParts {
    TraceDraft& draft;
    TraceContainers& containers;
    FileDescriptions& descriptions;
    TraceMemory& memory;
    const CallWrites& writes;
    StepWriter& steps;
    CallCanonicalizer& spelling;
};

/// Traces calls of operators, functions, and methods, with their reads, writes, and results.
class OperatorCalls final {
public:
    explicit OperatorCalls(const CallParts& parts)
        : m_draft(parts.draft), m_containers(parts.containers), m_descriptions(parts.descriptions), m_memory(parts.memory),
          m_writes(parts.writes), m_steps(parts.steps)
    {
    }

    /// Records a call as a step and returns its result. Records nothing if the result is already known.
    ValueId primitive(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call, TermId target);
    /// Returns the facts about a call with these arguments.
    [[nodiscard]] CallFacts factsOf(const OperatorFacts& facts, const TracedCall& call);

private:
    [[nodiscard]] CallRole roleOf(const Node& node, const OperatorFacts& facts, const TracedCall& call) const;
    /// Whether a call queries an attribute that depends on more than the contents of a tensor.
    [[nodiscard]] bool asksHistory(const Node& node, const TracedCall& call) const;
    [[nodiscard]] TermId sizeOfInput(const Node& node, const TracedCall& call) const;
    /// Whether a call reads an item or a property of a value that may be a mutable container.
    [[nodiscard]] bool mayAskContainer(const TraceFrame& frame, const Node& node, CallRole role, const TracedCall& call) const;
    /// Whether an argument may be a number, a list, or an array, which tensor functions reject.
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

/// Whether a node calls torch.cond, which returns the result of one of its graphs.
bool isCond(const Node& node);

} // namespace sunder
