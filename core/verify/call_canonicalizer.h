#pragma once

#include "operators/operator_facts.h"
#include "verify/trace_containers.h"

#include <unordered_map>

namespace sunder {

/// Rewrites calls to one canonical form before they are compared. A call of an operator with a schema gets all arguments of the
/// schema, with the schema's defaults for omitted ones: positional arguments in order, keyword-only arguments sorted by name.
/// Other calls only get their keywords sorted.
class CallCanonicalizer final {
public:
    CallCanonicalizer(TraceDraft& draft, TraceContainers& containers) : m_draft(draft), m_containers(containers) {}

    /// Canonicalizes a call. O(arguments · log arguments).
    void spell(TracedCall& call, const OperatorFacts& facts);
    /// Sorts the keywords of a call without a schema.
    static void sortKeywords(TracedCall& call);

private:
    /// Precomputed facts about a schema.
    struct Form {
        std::vector<ValueId> defaults; ///< by argument; invalid if required
        std::vector<std::uint16_t> named; ///< keyword-only arguments, sorted by name
        std::size_t positional = 0;
    };

    const Form& formOf(const OperatorSchema& schema);
    ValueId valueOf(const Argument& literal);
    [[nodiscard]] bool isSame(ValueId given, ValueId other) const;
    bool place(const TracedCall& call, const OperatorSchema& schema, const Form& form);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    std::unordered_map<const OperatorSchema*, Form> m_forms; ///< schemas have stable addresses
    std::vector<ValueId> m_places; ///< of the current call, by argument of its schema
};

} // namespace sunder
