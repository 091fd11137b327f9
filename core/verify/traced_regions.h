#pragma once

#include "verify/operator_calls.h"

namespace sunder {

/// Traces calls that change global state (autocast, grad mode, default dtype, …), for a region or permanently.
class TracedRegions final {
public:
    TracedRegions(const CallParts& parts, OperatorCalls& operators)
        : m_draft(parts.draft), m_steps(parts.steps), m_operators(operators)
    {
    }

    /// Enters a region and returns the context needed to leave it.
    ValueId enterRegion(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    void leaveRegion(TraceFrame& frame, NodeId id, const TracedCall& call);
    void setState(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// Traces a call that changes settings that are not distinguished from each other.
    ValueId stir(TraceFrame& frame, NodeId id, const OperatorFacts& facts, const TracedCall& call);
    /// Traces a call that computes gradients. It may access every tensor that autograd recorded, so it takes everything that
    /// exists so far.
    ValueId backward(TraceFrame& frame, NodeId id, const OperatorFacts& facts, TracedCall call);
    /// Applies the settings of a call of a graph in its own region, given by its first `settings` arguments. Returns false and
    /// changes nothing if these are computed. The caller restores the state.
    bool enterCalled(CallRole role, const TracedCall& call, std::size_t settings);

private:
    /// The state to restore when leaving a region.
    struct Entered {
        InternedString field;
        TermId before;
        TermId gradModeBefore;
        bool gradient = false;
    };
    /// Whether PyTorch may reject the settings of a region or field, so that the program fails.
    [[nodiscard]] bool mayBeRefused(const TracedCall& call, InternedString field) const;
    /// Records a call that PyTorch may reject as an assertion: two programs are equal only if both make it.
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
