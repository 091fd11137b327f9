#include "passes/balance/balance_text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace sunder {

std::string describeQuality(const BalanceResult& result)
{
    if (result.isProven)
        return "optimal, proven";
    if (!std::isfinite(result.gap()))
        return "no bound";
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(),
                  result.gap() < 0.0995 ? "at most %.2g %% above optimal" : "at most %.0f %% above optimal", 100 * result.gap());
    return text.data();
}

} // namespace sunder
