#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

namespace sunder {

/// What the file says of the values of a trace: whether it holds for this call of a graph, and what follows for copies
/// and for shapes that change in place.
class FileDescriptions final {
public:
    explicit FileDescriptions(TraceDraft& draft) : m_draft(draft) {}

    /// A graph's `val`s may be those of another call of it. They are taken for those of this one where they describe what it
    /// is given as what that is: its placeholders, or the parts of what placeholders without a `val` hold.
    void checkDescription(TraceFrame& frame, const Node& node, ValueId value);
    /// What a call computes of something that the graph does not describe may be described as what another call computes.
    void checkArguments(TraceFrame& frame, const TracedCall& call) const;
    /// What is known of one value holds for another: a parameter of a closure and what it is called with.
    void copyDescription(ValueId from, ValueId to);

    /// Notes whether the strides of the result of a step follow from the program alone.
    void layResult(const OperatorFacts& facts, const TracedCall& call, Step& step);

    /// Whether a step copies, and what.
    void describeCopies(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const TracedCall& call,
                        Step& step) const;
    /// Whether the file says that a call gives a tensor of real numbers.
    [[nodiscard]] static bool givesReal(const TraceFrame& frame, const Node& node);
    /// Where the result of a call that converts lies, as far as what the file says of both values holds here.
    void settle(TraceFrame& frame, const Node& node, const TracedCall& call, CallFacts& does);
    /// Whether a call gives a tensor that it writes its result to another shape: `out=`, unless the file says that it fits.
    [[nodiscard]] bool mayResize(const TraceFrame& frame, const Node& node, const CallFacts& does, const TracedCall& call) const;

private:
    void describe(ValueId value, const Argument& val);
    /// Whether the strides of a value follow from sizes and from tensors of the model, however inputs lie in memory.
    [[nodiscard]] bool liesForSure(ValueId value) const;
    /// Whether a value is a parameter, buffer, or constant, or, unless it has to be one of the model, an input.
    [[nodiscard]] bool isRoot(ValueId value, bool isOfModel) const;
    [[nodiscard]] bool isDescribedAs(ValueId value, const Argument& val, int depth = 0) const;

    TraceDraft& m_draft;
    std::vector<const Argument*> m_known; ///< by ValueId: what the file says of it; null where nothing
    std::vector<bool> m_liesForSure;      ///< by ValueId, of results
};

} // namespace sunder
