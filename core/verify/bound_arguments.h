#pragma once

#include "operators/call_facts.h"
#include "verify/traced_call.h"

namespace sunder {

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
