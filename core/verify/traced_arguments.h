#pragma once

#include "verify/call_spelling.h"
#include "verify/traced_attributes.h"

namespace sunder {

/// Arguments of nodes as values of a trace.
class TracedArguments final {
public:
    TracedArguments(TraceDraft& draft, TraceContainers& containers, TracedAttributes& attributes, CallSpelling& spelling)
        : m_draft(draft), m_containers(containers), m_attributes(attributes), m_spelling(spelling)
    {
    }

    ValueId valueOf(TraceFrame& frame, const Argument& argument);
    /// All of a node that calls a module: keywords by name.
    TracedCall ofModule(TraceFrame& frame, const Node& node);
    /// All of a node that calls what `facts` are of, in the one spelling that such calls have.
    TracedCall ofFunction(TraceFrame& frame, const Node& node, const OperatorFacts& facts);

private:
    ValueId containerOf(TraceFrame& frame, const Argument& argument);
    TracedCall asWritten(TraceFrame& frame, const Node& node);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    TracedAttributes& m_attributes;
    CallSpelling& m_spelling;
};

} // namespace sunder
