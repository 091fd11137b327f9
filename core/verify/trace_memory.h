#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"
#include "verify/trace_frame.h"

namespace sunder {

/// Which values of a trace may lie in the same memory, and what is written there.
class TraceMemory final {
public:
    /// What the storage ids of a `val` say of a value.
    enum class Alignment : std::uint8_t {
        merge,    ///< that all values of the id share a region
        distrust, ///< the value's region is known; where another one has the id it says nothing
    };

    explicit TraceMemory(TraceDraft& draft) : m_draft(draft) {}

    /// A result may lie where some arguments, or all, do.
    void mergeSlots(std::span<const std::uint32_t> slots, const TracedCall& call, ValueId result);
    void mergeAll(const TracedCall& call, ValueId result);
    /// What lies in a result may lie where parts of `value` do.
    void shareMemory(ValueId result, ValueId value);
    /// What is put into a container or an object of the program is shared with it from then on (`shares`); so it may be, too, by
    /// what nobody knows, and by what gives a tensor the storage of another.
    void followWrites(std::uint32_t step, const CallFacts& does, const TracedCall& call, std::span<const ValueId> written,
                      bool resizes, bool shares);

    /// Notes which storage ids of the graph stand for memory that a value, made elsewhere, lies in.
    void alignKnown(TraceFrame& frame, NodeId node, ValueId value);
    void alignWith(TraceFrame& frame, ValueId value, const Argument& val, Alignment how, int depth = 0);
    /// Whether the file says that a result and all that went into it lie in different memory. Operators whose result is
    /// a copy or a view as strides happen to be may do otherwise another time; this is for those of which nothing is known.
    [[nodiscard]] bool liesApart(const TraceFrame& frame, const Node& node) const;
    /// Whether a getitem of a tensor gathers elements into memory of its own: by a list or a tensor of indices.
    [[nodiscard]] bool indexCopies(const TraceFrame& frame, const Node& getItem) const;

private:
    void markWritten(const CallFacts& does, const TracedCall& call, std::span<const ValueId> written);
    void markReshaped(const TracedCall& call, std::span<const ValueId> written);

    TraceDraft& m_draft;
};

} // namespace sunder
