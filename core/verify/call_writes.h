#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

namespace sunder {

/// Collects the values that calls in a trace write to.
class CallWrites final {
public:
    explicit CallWrites(const TraceDraft& draft) : m_draft(draft) {}

    /// Collects the written values according to facts about the call, without duplicates.
    void collectWrites(const CallFacts& does, const TracedCall& call, std::vector<ValueId>& written) const;
    /// Collects the written values according to the metadata of the node.
    void collectMarked(const TraceFrame& frame, const Node& node, const TracedCall& call, std::vector<ValueId>& marked) const;
    /// Whether the call modifies a list, tuple, or dict in place.
    [[nodiscard]] bool changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                        const TracedCall& call) const;

private:
    const TraceDraft& m_draft;
};

} // namespace sunder
