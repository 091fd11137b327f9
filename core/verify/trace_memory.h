#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"

namespace sunder {

/// Tracks which values of a trace may share memory, and which memory is written.
class TraceMemory final {
public:
    /// The conclusion drawn from the storage ids of a `val`.
    enum class Alignment : std::uint8_t {
        merge,    ///< all values with the id share a region
        distrust, ///< the region of the value is known; an id that occurs in another region is ambiguous
    };

    explicit TraceMemory(TraceDraft& draft) : m_draft(draft) {}

    /// Makes a result share memory with some arguments, or with all of them.
    void mergeSlots(std::span<const std::uint32_t> slots, const TracedCall& call, ValueId result);
    void mergeAll(const TracedCall& call, ValueId result);
    /// Makes a result share memory with the parts of `value`.
    void shareMemory(ValueId result, ValueId value);
    /// Tracks the writes of a step. A value stored in a container or in an object of the program shares memory with it from then
    /// on (`shares`). The same applies to unknown calls, and to calls that give a tensor the storage of another.
    void followWrites(std::uint32_t step, const CallFacts& does, const TracedCall& call, std::span<const ValueId> written,
                      bool resizes, bool shares);

    /// Records which storage ids of a graph denote the memory of a value that was created elsewhere.
    void alignKnown(TraceFrame& frame, NodeId node, ValueId value);
    void alignWith(TraceFrame& frame, ValueId value, const Argument& val, Alignment how, int depth = 0);
    /// Whether the file states that a result shares no memory with its arguments. Use it for unknown calls only: for operators
    /// that return a copy or a view depending on strides, another run may differ.
    [[nodiscard]] bool isStatedSeparate(const TraceFrame& frame, const Node& node) const;
    /// Whether indexing a tensor copies elements to new memory, as it does for a list or a tensor of indices.
    [[nodiscard]] bool indexCopies(const TraceFrame& frame, const Node& getItem) const;

private:
    void markWritten(const CallFacts& does, const TracedCall& call, std::span<const ValueId> written);
    void markReshaped(const TracedCall& call, std::span<const ValueId> written);

    TraceDraft& m_draft;
};

} // namespace sunder
