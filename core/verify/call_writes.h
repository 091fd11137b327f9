#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

namespace sunder {

/// What calls in a trace write to.
class CallWrites final {
public:
    explicit CallWrites(const TraceDraft& draft) : m_draft(draft) {}

    /// By what is known of the call: each value once.
    void collectWrites(const CallFacts& does, const TracedCall& call, std::vector<ValueId>& written) const;
    /// By what the file says of the node.
    void collectMarked(const TraceFrame& frame, const Node& node, const TracedCall& call, std::vector<ValueId>& marked) const;
    /// Whether it changes a list, tuple or dict in place.
    [[nodiscard]] bool changesContainer(const Node& node, const OperatorFacts& facts, const CallFacts& does,
                                        const TracedCall& call) const;

private:
    const TraceDraft& m_draft;
};

} // namespace sunder
