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

} // namespace sunder
