#pragma once

#include "verify/call_canonicalizer.h"
#include "verify/traced_attributes.h"

namespace sunder {

/// Converts arguments of nodes to values of a trace.
class TracedArguments final {
public:
    TracedArguments(TraceDraft& draft, TraceContainers& containers, TracedAttributes& attributes, CallCanonicalizer& spelling)
        : m_draft(draft), m_containers(containers), m_attributes(attributes), m_spelling(spelling)
    {
    }

    ValueId valueOf(TraceFrame& frame, const Argument& argument);
    /// Converts the arguments of a node that calls a module, with sorted keywords.
    TracedCall ofModule(TraceFrame& frame, const Node& node);
    /// Converts the arguments of a node that calls the function of `facts`, in canonical form.
    TracedCall ofFunction(TraceFrame& frame, const Node& node, const OperatorFacts& facts);

private:
    ValueId containerOf(TraceFrame& frame, const Argument& argument);
    TracedCall asWritten(TraceFrame& frame, const Node& node);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    TracedAttributes& m_attributes;
    CallCanonicalizer& m_spelling;
};

} // namespace sunder
