#include "verify/given_arguments.h"

namespace sunder {

Truth GivenArguments::truth(std::size_t slot) const
{
    const ValueId id = m_call.slot(slot);
    if (!id.isValid() || m_draft.at(id).kind != ValueKind::constant || m_draft.termOf(m_draft.at(id)).kind != TermKind::constant)
        return Truth::unknown;
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
    const Term& term = m_draft.termOf(m_draft.at(id));
    switch (static_cast<ArgumentKind>(term.detail)) {
    case ArgumentKind::none: return Truth::off;
    case ArgumentKind::boolean:
    case ArgumentKind::integer: return term.bits != 0 ? Truth::on : Truth::off;
    case ArgumentKind::floating: return (term.bits & ~kSign) != 0 ? Truth::on : Truth::off;
    case ArgumentKind::string: return Truth::on;
    default: return Truth::unknown;
    }
}

bool GivenArguments::isList(std::size_t slot) const
{
    const ValueId value = m_call.slot(slot);
    return value.isValid() && m_draft.at(value).kind == ValueKind::container;
}

} // namespace sunder
