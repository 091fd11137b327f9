#pragma once

#include "verify/verify.h"

namespace sunder {

/// Returns "contents", "names", "own memory", or "none".
std::string_view name(VerdictBasis basis);

/// Returns a sentence about the parameters, buffers, and constants of a verdict: "The same model: the contents of 12 tensors (3.4
/// MB) are equal bit for bit." or "The same graph: assumed equal by name: conv.weight and 11 more, because …". Empty for
/// VerdictBasis::none.
std::string basisText(const VerifyReport& report);

/// Lists the calls that may round differently: "the results of linear, linear_1 and 3 more may differ by rounding".
std::string roundingText(const RoundedCalls& calls);

} // namespace sunder
