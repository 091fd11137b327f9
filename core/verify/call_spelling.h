#pragma once

#include "operators/operator_facts.h"
#include "verify/trace_containers.h"

#include <unordered_map>

namespace sunder {

/// Gives calls that say the same in different ways one spelling, before anything else looks at them. A call of an operator
/// whose schema is known has all arguments of the schema: by position those that may be, all others by name, sorted, and what
/// a call leaves out is there as the schema's default. Any other call stays as it is written, but for the order of its keywords.
class CallSpelling final {
public:
    CallSpelling(TraceDraft& draft, TraceContainers& containers) : m_draft(draft), m_containers(containers) {}

    /// O(arguments · log arguments).
    void spell(TracedCall& call, const OperatorFacts& facts);
    /// Of a call without a schema: keywords by name.
    static void sortKeywords(TracedCall& call);

private:
    /// What a schema says, worked out once.
    struct Form {
        std::vector<ValueId> defaults; ///< by argument; invalid where it has to be given
        std::vector<std::uint16_t> named; ///< arguments that only names can give, by name
        std::size_t positional = 0;
    };

    const Form& formOf(const OperatorSchema& schema);
    ValueId valueOf(const Argument& literal);
    [[nodiscard]] bool isSame(ValueId given, ValueId other) const;
    bool place(const TracedCall& call, const OperatorSchema& schema, const Form& form);

    TraceDraft& m_draft;
    TraceContainers& m_containers;
    std::unordered_map<const OperatorSchema*, Form> m_forms; ///< schemas of the catalogue stay where they are
    std::vector<ValueId> m_places; ///< of the call at hand, by argument of its schema
};

} // namespace sunder
