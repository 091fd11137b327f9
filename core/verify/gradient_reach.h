#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

namespace sunder {

/// Whether anything that a program does may depend on whether these tensors require gradients: whether one of them, or what is
/// made from it, is written, is given to a call that is not known to compute the same of both, or is given out, unless what is
/// given out requires gradients for another reason. `tensors`: where they lie. Linear in steps.
bool hangsOnGradientsOf(std::span<const TermId> tensors, Trace& trace, const TermTable& terms);

} // namespace sunder
