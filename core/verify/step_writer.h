#pragma once

#include "verify/file_descriptions.h"
#include "verify/trace_containers.h"

namespace sunder {

/// Adds calls to a trace, and collects the values that they write to.
class StepWriter final {
public:
    /// Whether a call may keep a reference to a list or dict argument, or return it.
    enum class Keeping : std::uint8_t { none, possible };

    StepWriter(TraceDraft& draft, TraceContainers& containers, FileDescriptions& descriptions)
        : m_draft(draft), m_containers(containers), m_descriptions(descriptions)
    {
    }

    /// Adds a step under the current global state and returns its index. The caller then fills in its effects.
    std::uint32_t pushStep(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call, ValueId result,
                           Keeping keeping = Keeping::possible);
    /// Adds a call that matters only for its effect.
    void emitEffect(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call);
    /// Adds a note, once per target, about the assumption made for an unknown target.
    void noteUnknown(Op op, InternedString target);

    /// Collects the written values according to facts about the call, without duplicates.
    void collectWrites(const CallFacts& does, const TracedCall& call, std::vector<ValueId>& written) const;
    /// Collects the written values according to the metadata of the node.
    void collectMarked(const TraceFrame& frame, const Node& node, const TracedCall& call, std::vector<ValueId>& marked) const;
    /// Whether the call modifies a list, tuple, or dict in place.
    [[nodiscard]] bool changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                        const TracedCall& call) const;

private:
    TraceDraft& m_draft;
    TraceContainers& m_containers;
    FileDescriptions& m_descriptions;
};

} // namespace sunder
