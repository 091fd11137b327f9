#pragma once

#include "operators/call_facts.h"
#include "verify/trace.h"

#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The arguments of one call.
struct TracedCall {
    std::vector<ValueId> positional;
    std::vector<std::pair<InternedString, ValueId>> keywords;
    bool isSorted = false; ///< keywords are sorted by name
    std::size_t stated = 0; ///< number of slots up to the last one that differs from its default: `CallCanonicalizer`

    /// Returns an argument; invalid if there is none.
    [[nodiscard]] ValueId argument(std::size_t position) const
    {
        return position < positional.size() ? positional[position] : ValueId();
    }
    [[nodiscard]] ValueId keyword(std::string_view name) const;
    /// Returns the argument in a slot. Positional arguments come before keywords, as in `CallFacts`.
    [[nodiscard]] ValueId slot(std::size_t slot) const
    {
        return slot < positional.size() ? positional[slot] : keywords[slot - positional.size()].second;
    }
};

/// Returns the canonical call that a step was created from.
TracedCall callOf(const Trace& trace, const TermTable& terms, const Step& step);

/// Presents the arguments of a traced call to the operator tables.
class BoundArguments final : public CallArguments {
public:
    BoundArguments(const Trace& trace, const TermTable& terms, const TracedCall& call)
        : m_trace(trace), m_terms(terms), m_call(call)
    {
    }
    [[nodiscard]] std::size_t positionalCount() const override { return m_call.positional.size(); }
    [[nodiscard]] std::size_t keywordCount() const override { return m_call.keywords.size(); }
    [[nodiscard]] InternedString keyword(std::size_t index) const override { return m_call.keywords[index].first; }
    [[nodiscard]] Truth truth(std::size_t slot) const override;
    [[nodiscard]] bool isList(std::size_t slot) const override;
    [[nodiscard]] std::optional<double> number(std::size_t slot) const override;
    [[nodiscard]] bool isNumber(std::size_t slot) const override;

private:
    const Trace& m_trace;
    const TermTable& m_terms;
    const TracedCall& m_call;
};

} // namespace sunder
