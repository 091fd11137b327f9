#pragma once

#include "verify/trace_containers.h"
#include "verify/traced_attributes.h"

namespace sunder {

/// Arguments of nodes as values of a trace.
class TracedArguments final {
public:
    TracedArguments(TraceDraft& draft, TraceContainers& containers, TracedAttributes& attributes)
        : m_draft(draft), m_containers(containers), m_attributes(attributes)
    {
    }

    ValueId valueOf(TraceFrame& frame, const Argument& argument);
    /// All of a node's.
    TracedCall callOf(TraceFrame& frame, const Node& node, bool sortKeywords);

private:
    ValueId containerOf(TraceFrame& frame, const Argument& argument);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    TracedAttributes& m_attributes;
};

} // namespace sunder
