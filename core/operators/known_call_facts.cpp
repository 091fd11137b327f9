#include "operators/known_call_facts.h"

namespace sunder {
namespace {

template <typename Number>
void appendBytes(std::string& key, Number number)
{
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// Classes of numbers that conditions distinguish (FlagTest).
enum class NumberKind : unsigned { none, one, fraction, other };

NumberKind kindOf(std::optional<double> number)
{
    if (!number)
        return NumberKind::none;
    return *number == 1.0 ? NumberKind::one : *number >= 0.0 && *number <= 1.0 ? NumberKind::fraction : NumberKind::other;
}

} // namespace

const CallFacts& KnownCallFacts::of(const OperatorFacts& facts, const CallArguments& call)
{
    m_key.clear();
    appendBytes(m_key, &facts);
    appendBytes(m_key, call.positionalCount());
    const std::size_t keywords = call.keywordCount();
    for (std::size_t i = 0; i < keywords; ++i)
        appendBytes(m_key, call.keyword(i).id());
    const std::size_t slots = call.slotCount();
    for (std::size_t slot = 0; slot < slots; ++slot)
        m_key += static_cast<char>(static_cast<unsigned>(call.truth(slot)) + (call.isList(slot) ? 4U : 0U)
                                   + (call.isNumber(slot) ? 32U : 0U) + 8U * static_cast<unsigned>(kindOf(call.number(slot))));
    const auto found = m_facts.find(m_key);
    return found != m_facts.end() ? found->second : m_facts.emplace(m_key, callFacts(facts, call)).first->second;
}

} // namespace sunder
