#pragma once

#include "passes/balance/balance_problem.h"

#include <string>

namespace sunder {

/// Returns "optimal, proven", "at most 1.8 % above optimal", or "no bound".
std::string describeQuality(const BalanceResult& result);

} // namespace sunder
