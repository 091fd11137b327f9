#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"

namespace sunder {

/// Tracks which descriptions in the file hold for the values of a trace, and what follows for copies and in-place shape changes.
/// A description of a value in a graph may belong to another call of that graph.
class FileDescriptions final {
public:
    explicit FileDescriptions(TraceDraft& draft) : m_draft(draft) {}

    /// Decides whether the `val`s of a graph hold for the current call. They do if they match the descriptions of the values
    /// passed to it: its placeholders, or the leaves of the values passed to placeholders without a `val`.
    void checkDescription(TraceFrame& frame, const Node& node, ValueId value);
    /// Marks a call with undescribed arguments: its description may belong to another call.
    void checkArguments(TraceFrame& frame, const TracedCall& call) const;
    /// Applies the description of one value to another, for example from an argument of a closure to its parameter.
    void copyDescription(ValueId from, ValueId to);

    /// Records whether the strides of the result of a step are determined by the program alone.
    void layResult(const OperatorFacts& facts, const TracedCall& call, Step& step);

    /// Records whether a step is a copy, and its source.
    void describeCopies(const TraceFrame& frame, const Node& node, const OperatorFacts& facts, const TracedCall& call,
                        Step& step) const;
    /// Whether the file states that a call returns a real tensor.
    [[nodiscard]] static bool returnsRealTensor(const TraceFrame& frame, const Node& node);
    /// Decides whether the result of a converting call aliases its argument, if the descriptions of both values hold for this
    /// call.
    void settle(TraceFrame& frame, const Node& node, const TracedCall& call, CallFacts& does);
    /// Whether a call may resize the tensor that it writes its result to (`out=`): true unless the file states that it fits.
    [[nodiscard]] bool mayResize(const TraceFrame& frame, const Node& node, const CallFacts& does, const TracedCall& call) const;

private:
    void describe(ValueId value, const Argument& val);
    /// Whether the strides of a value are determined by sizes and model tensors, independently of the layout of inputs.
    [[nodiscard]] bool hasFixedStrides(ValueId value) const;
    /// Whether a value is a parameter, buffer, or constant, or also an input if `isOfModel` is false.
    [[nodiscard]] bool isRoot(ValueId value, bool isOfModel) const;
    [[nodiscard]] bool isDescribedAs(ValueId value, const Argument& val, int depth = 0) const;

    TraceDraft& m_draft;
    std::vector<const Argument*> m_known; ///< by ValueId: its description in the file; null if there is none
    std::vector<bool> m_hasFixedStrides; ///< by ValueId of results
};

} // namespace sunder
