#pragma once

#include "verify/global_state.h"
#include "verify/trace_context.h"
#include "verify/traced_call.h"

#include <unordered_set>

namespace sunder {

/// A trace while it is written, and what all of it that is written needs: values, the global state, and how much work it was.
struct TraceDraft {
    /// Refers to both.
    TraceDraft(const Program& program, Side side, TraceContext& context);

    // Values
    [[nodiscard]] const Value& at(ValueId id) const { return trace.values[id.index()]; }
    [[nodiscard]] const Term& termOf(const Value& value) const { return terms[value.term]; }
    ValueId add(Value value);
    Operands pool(std::span<const ValueId> values);
    /// Something whose parts are not known, in memory of its own.
    ValueId leaf(TermId term);
    ValueId constant(TermId term);
    /// A leaf that is equal to nothing in either program; the programs are undecided.
    ValueId unknown(NodeRef node, std::string why);
    /// Says why the programs are undecided; the first reason stays.
    void giveUp(NodeRef node, std::string why);
    /// What is called: a function, method or operator by name.
    TermId functionTarget(InternedString name, Op op);

    /// Leaves in a value, or in arguments, each as often as it is passed; a container that is held many times is looked into once.
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves) const;
    void collectAll(const TracedCall& call, std::vector<ValueId>& leaves) const;
    void collectSlots(std::span<const std::uint32_t> slots, const TracedCall& call, std::vector<ValueId>& leaves) const;

    /// Whether the program, written out, is too large to go on.
    [[nodiscard]] bool isTooLarge() const;
    /// False when something of that name has been noted already.
    bool noteOnce(InternedString name) { return noted.insert(name).second; }

    const Program& program;
    Side side;
    TraceContext& context;
    TermTable& terms;
    Trace trace;
    GlobalState state;
    std::uint32_t closures = 0; ///< bodies of closures around the node that is written
    mutable std::uint64_t work = 0; ///< nodes, arguments, parts of containers looked at
    std::uint64_t mostValues = 0;
    std::unordered_set<InternedString> noted; ///< unknown targets that a note names

private:
    void collectLeaves(ValueId value, std::vector<ValueId>& leaves, std::unordered_set<ValueId>& seen) const;
};

} // namespace sunder
