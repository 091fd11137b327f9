#pragma once

#include "verify/distinguishable_terms.h"
#include "verify/divergence.h"

#include <string_view>

namespace sunder {

/// Returns a clause that says why two programs with this first difference may still be equivalent; empty if they are known to
/// differ.
///
/// The programs may express one computation in different forms: 1 and 1.0, dropout with probability 0, a negative index, the
/// order of the operands of a sum, or a setting that the call ignores. They may also call different operators, or write to memory
/// differently, without a known effect on the results.
std::string_view inconclusiveReason(const TermTable& terms, DistinguishableTerms& apart, const Divergence& parting);

} // namespace sunder
