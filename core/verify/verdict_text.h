#pragma once

#include "verify/verify.h"

namespace sunder {

/// "contents", "names", "own memory", "none".
std::string_view name(VerdictBasis basis);

/// What a verdict says about parameters, buffers and constants, a sentence: "The same model: the contents of 12 tensors
/// (3.4 MB) are equal bit for bit." or "The same graph: taken for equal by name are conv.weight and 11 more, as …".
/// Empty where nothing was found to be the same.
std::string basisText(const VerifyReport& report);

/// Names the calls that may round differently: "the results of linear, linear_1 and 3 more may differ by rounding".
std::string roundingText(const RoundedCalls& calls);

} // namespace sunder
