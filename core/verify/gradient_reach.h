#pragma once

#include "verify/symbol_mapping.h"
#include "verify/trace.h"

namespace sunder {

/// Whether a program may depend on whether these tensors require gradients: a tensor, or a value computed from it, is written,
/// passed to a call that may depend on gradients, or returned, unless the returned value requires gradients for another reason.
/// `tensors`: their places. Linear in steps.
bool dependsOnGradientsOf(std::span<const TermId> tensors, Trace& trace, const TermTable& terms);

} // namespace sunder
