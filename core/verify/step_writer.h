#pragma once

#include "verify/file_descriptions.h"
#include "verify/trace_containers.h"

namespace sunder {

/// Adds calls to a trace.
class StepWriter final {
public:
    /// Whether a call may keep a list or dict that it is given, or hand it on.
    enum class Keeping : std::uint8_t { none, possible };

    StepWriter(TraceDraft& draft, TraceContainers& containers, FileDescriptions& descriptions)
        : m_draft(draft), m_containers(containers), m_descriptions(descriptions)
    {
    }

    /// The step's index. It runs under the state that is set now; what it does is to be said of it afterwards.
    std::uint32_t pushStep(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call, ValueId result,
                           Keeping keeping = Keeping::possible);
    /// A call of which only the effect counts.
    void emitEffect(TraceFrame& frame, NodeId id, TermId target, const TracedCall& call);
    /// Tells people, once a target, what is assumed of something that nobody knows.
    void noteUnknown(Op op, InternedString target);

private:
    TraceDraft& m_draft;
    TraceContainers& m_containers;
    FileDescriptions& m_descriptions;
};

} // namespace sunder
