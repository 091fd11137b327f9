#pragma once

#include "verify/global_state.h"
#include "verify/trace_context.h"
#include "verify/traced_call.h"

#include <unordered_set>

namespace sunder {

/// A trace under construction, with the state that all parts of the tracer share: values, global state, and the amount of work.
struct TraceDraft {
    /// Keeps references to `program` and `context`.
    TraceDraft(const Program& program, Side side, TraceContext& context);

    // Values
    [[nodiscard]] const Value& at(ValueId id) const { return trace.values[id.index()]; }
    [[nodiscard]] const Term& termOf(const Value& value) const { return terms[value.term]; }
    ValueId add(Value value);
    Operands pool(std::span<const ValueId> values);
    /// Adds a value with unknown parts in memory of its own.
    ValueId leaf(TermId term);
    ValueId constant(TermId term);
    /// Adds a leaf that is equal to no other term, and makes the programs undecided.
    ValueId unknown(NodeRef node, std::string why);
    /// Records why the programs are undecided. The first reason is kept.
    void giveUp(NodeRef node, std::string why);
    /// Returns the term of a function, method, or operator name.
    TermId functionTarget(InternedString name, Op op);

    /// Collects the leaves of a value, or of arguments, once per occurrence; a container that occurs several times is traversed
    /// only once.
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves) const;
    void collectAll(const TracedCall& call, std::vector<ValueId>& leaves) const;
    void collectSlots(std::span<const std::uint32_t> slots, const TracedCall& call, std::vector<ValueId>& leaves) const;

    /// Whether the inlined program exceeds the size limit.
    [[nodiscard]] bool isTooLarge() const;
    /// Returns false if this name was already noted.
    bool noteOnce(InternedString name) { return noted.insert(name).second; }

    const Program& program;
    Side side;
    TraceContext& context;
    TermTable& terms;
    Trace trace;
    GlobalState state;
    std::uint32_t closures = 0; ///< number of closures that contain the current node
    mutable std::uint64_t work = 0; ///< number of nodes, arguments, and container items visited
    std::uint64_t mostValues = 0;
    std::unordered_set<InternedString> noted; ///< unknown targets that are mentioned in a note

private:
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves, std::unordered_set<ValueId>& seen) const;
};

} // namespace sunder
