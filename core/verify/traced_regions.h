#pragma once

#include "verify/operator_calls.h"

namespace sunder {

/// Calls that change the global state, for a region of a graph or from then on: autocast, grad mode, default dtype and the like.
class TracedRegions final {
public:
    TracedRegions(const CallParts& parts, OperatorCalls& operators)
        : m_draft(parts.draft), m_steps(parts.steps), m_operators(operators)
    {
    }

    /// Gives what leaving the region needs.
    ValueId enterRegion(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    void leaveRegion(TraceFrame& frame, NodeId id, const TracedCall& call);
    void setState(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// A call that changes settings nobody keeps apart.
    ValueId stir(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// A call that computes gradients: what autograd recorded decides what it reads and writes, so all that there is so far.
    ValueId backward(TraceFrame& frame, NodeId id, const OperatorFacts& facts, TracedCall call);
    /// Sets what a call of a graph in a region of its own sets; its first `settings` arguments say what. False, and nothing is set,
    /// when these are computed. Who calls puts the state back.
    bool enterCalled(CallRole role, const TracedCall& call, std::size_t settings);

private:
    /// What leaving a region puts back.
    struct Entered {
        InternedString field;
        TermId before;
        TermId gradModeBefore;
        bool gradient = false;
    };
    /// Whether PyTorch may refuse settings of a region or field, so that a program that sets them fails.
    [[nodiscard]] bool mayBeRefused(const TracedCall& call, InternedString field) const;
    /// Notes a call that PyTorch may refuse: two programs are the same only if both make it.
    void checkSettings(TraceFrame& frame, NodeId id, const TracedCall& call, InternedString field);
    TermId constantArguments(const TracedCall& call, std::size_t first, bool& complete);
    [[nodiscard]] InternedString autocastField(ValueId device) const;
    TermId autocastSetting(TermId settings, ValueId dtype, InternedString field);

    TraceDraft& m_draft;
    StepWriter& m_steps;
    OperatorCalls& m_operators;
    std::vector<Entered> m_entered;
};

} // namespace sunder
