#include "verify/traced_call.h"

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

} // namespace sunder
