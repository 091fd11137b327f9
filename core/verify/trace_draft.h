#pragma once

#include "operators/operator_catalogue.h"
#include "verify/symbol_mapping.h"
#include "verify/term_table.h"
#include "verify/trace.h"
#include "verify/traced_call.h"
#include "verify/verify.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sunder {

/// Marks a storage id that occurred in several regions.
inline constexpr std::uint32_t kSeveralRegions = 0xffffffffU;

/// The active settings (autocast, grad mode, default dtype, and others) as fields with values. Fields that were never set, or
/// were reset, are absent, so that equal states are equal terms.
class GlobalState {
public:
    /// Returns the term of the state; gradientTerm() is the part that matters only if gradients may be required.
    [[nodiscard]] TermId term() const { return m_terms[0]; }
    [[nodiscard]] TermId gradientTerm() const { return m_terms[1]; }

    /// Whether autocast may be active.
    [[nodiscard]] bool mayCast() const
    {
        return std::ranges::any_of(m_fields, [](const Field& field) { return field.name.view().starts_with("autocast"); });
    }
    [[nodiscard]] std::size_t fieldCount() const { return m_fields.size(); }
    /// Returns the value of a field; TermTable::nothing() if it has its initial value.
    [[nodiscard]] TermId value(InternedString field) const
    {
        const auto found = std::ranges::find(m_fields, field, &Field::name);
        return found != m_fields.end() ? found->value : TermTable::nothing();
    }
    /// Sets a field, or resets it if `value` is TermTable::nothing(). O(fields).
    void set(InternedString field, TermId value, bool gradient, TermTable& terms)
    {
        auto found = std::ranges::find(m_fields, field, &Field::name);
        if (found == m_fields.end())
            found = m_fields.insert(
                std::ranges::upper_bound(m_fields, field.id(), {}, [](const Field& f) { return f.name.id(); }),
                {field, value, gradient});
        found->value = value;
        if (value == TermTable::nothing())
            m_fields.erase(found);
        terms.learn(field);
        m_terms = {TermTable::nothing(), TermTable::nothing()};
        for (const Field& f : m_fields) {
            TermId& term = m_terms[f.gradient ? 1 : 0];
            term = terms.make({.kind = TermKind::state, .head = f.name.id()}, {term, f.value});
        }
    }

private:
    struct Field {
        InternedString name;
        TermId value;
        bool gradient;
    };
    std::vector<Field> m_fields;
    std::array<TermId, 2> m_terms{TermTable::nothing(), TermTable::nothing()};
};

/// Assumptions about the programs while they are traced.
struct Assumptions {
    /// Calls with unknown semantics are pure functions of their arguments. For finding out whether the verdict depends on them.
    bool pureCalls = false;
    bool recordedDtypes = true; ///< conversions return the dtypes that the file states
    bool recordedCalls = true; ///< the file's descriptions of values in called graphs hold
};

/// Shared state and settings for tracing both programs.
struct TraceContext {
    SymbolMapping& mapping;
    TermTable& terms;
    OperatorCatalog& operators;
    const VerifyOptions& options;
    /// Operators that one of the programs calls through with_effects. Calls of them are effects in both programs.
    const std::unordered_set<InternedString>& effects;
    /// Whether either program writes to memory. If not, memory is not tracked.
    bool followMemory = false;
    /// Whether shapes, strides, or storages change in place. Sizes may then differ from those of the inputs.
    bool reshapes = false;
    /// Whether lists, dicts, or sets may be modified. Items and lengths of possible containers may then change.
    bool changesContainers = false;
    Assumptions assume = {};
};

/// One call of a graph during inlining.
struct TraceFrame {
    GraphId graph;
    ModuleId module; ///< the module that resolves its attributes
    std::vector<ValueId> values;
    std::unordered_map<InternedString, std::uint32_t> storages = {}; ///< storage id in a `val` → region
    std::uint32_t depth = 0;
    bool again = false; ///< the graph was called before, so its `val`s may describe that call
    bool described = true; ///< the file's descriptions hold for this call
    std::unordered_set<ValueId> undescribed = {}; ///< passed values that the file does not describe here
};

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
    void setUndecided(NodeRef node, std::string why);
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
