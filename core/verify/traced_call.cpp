#include "verify/traced_call.h"

#include "verify/divergence.h"

#include <algorithm>

namespace sunder {

ValueId TracedCall::keyword(std::string_view name) const
{
    constexpr std::size_t kFew = 16;
    if (isSorted && keywords.size() > kFew) {
        const auto found = std::ranges::lower_bound(keywords, name, {}, [](const auto& keyword) { return keyword.first.view(); });
        return found != keywords.end() && found->first.view() == name ? found->second : ValueId();
    }
    for (const auto& [key, value] : keywords)
        if (key.view() == name)
            return value;
    return {};
}

TracedCall callOf(const Trace& trace, const TermTable& terms, const Step& step)
{
    const std::span<const ValueId> given = trace.at(step.arguments);
    const std::span<const TermId> names = step.keywords == TermTable::nothing() ? std::span<const TermId>()
                                                                                : terms.children(step.keywords);
    TracedCall call;
    call.positional.assign(given.begin(), given.end() - static_cast<std::ptrdiff_t>(names.size()));
    for (std::size_t i = 0; i < names.size(); ++i)
        call.keywords.emplace_back(terms.textOf(names[i]), given[call.positional.size() + i]);
    return call;
}

Truth BoundArguments::truth(std::size_t slot) const
{
    const ValueId id = m_call.slot(slot);
    if (!id.isValid())
        return Truth::unknown;
    const Value& value = m_trace.values[id.index()];
    if (value.kind == ValueKind::container && value.itemCount == 0)
        return Truth::off;
    if (value.kind != ValueKind::constant || m_terms[value.term].kind != TermKind::constant)
        return Truth::unknown;
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    const Term& term = m_terms[value.term];
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::none: return Truth::off;
    case ArgumentKind::boolean:
    case ArgumentKind::integer: return term.bits != 0 ? Truth::on : Truth::off;
    case ArgumentKind::floating: return (term.bits & ~kSign) != 0 ? Truth::on : Truth::off;
    case ArgumentKind::string: return Truth::on;
    default: return Truth::unknown;
    }
}

std::optional<double> BoundArguments::number(std::size_t slot) const
{
    const ValueId id = m_call.slot(slot);
    if (!id.isValid() || m_trace.values[id.index()].kind != ValueKind::constant)
        return std::nullopt;
    const Term& term = m_terms[m_trace.values[id.index()].term];
    if (term.kind == TermKind::constant && static_cast<ArgumentKind>(term.detail) == ArgumentKind::boolean)
        return term.bits != 0 ? 1.0 : 0.0;
    return writtenNumber(m_terms, m_trace.values[id.index()].term);
}

bool BoundArguments::isNumber(std::size_t slot) const
{
    const ValueId id = m_call.slot(slot);
    return id.isValid() && m_trace.values[id.index()].kind == ValueKind::constant
        && writtenNumber(m_terms, m_trace.values[id.index()].term).has_value();
}

bool BoundArguments::isList(std::size_t slot) const
{
    const ValueId value = m_call.slot(slot);
    return value.isValid() && m_trace.values[value.index()].kind == ValueKind::container;
}

} // namespace sunder
