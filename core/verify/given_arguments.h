#pragma once

#include "operators/call_facts.h"
#include "verify/trace_draft.h"

namespace sunder {

/// The arguments of a traced call as the table of operators asks for them.
class GivenArguments final : public CallArguments {
public:
    GivenArguments(const TraceDraft& draft, const TracedCall& call) : m_draft(draft), m_call(call) {}
    [[nodiscard]] std::size_t positionalCount() const override { return m_call.positional.size(); }
    [[nodiscard]] std::size_t keywordCount() const override { return m_call.keywords.size(); }
    [[nodiscard]] InternedString keyword(std::size_t index) const override { return m_call.keywords[index].first; }
    [[nodiscard]] Truth truth(std::size_t slot) const override;
    [[nodiscard]] bool isList(std::size_t slot) const override;

private:
    const TraceDraft& m_draft;
    const TracedCall& m_call;
};

} // namespace sunder
