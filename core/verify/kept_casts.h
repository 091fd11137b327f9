#pragma once

#include "verify/correspondence.h"
#include "verify/trace.h"

#include <optional>

namespace sunder {

/// The first call that writes, within a region of autocast, to a tensor that an earlier call of the region may have cast:
/// autocast keeps casts of tensors that require gradients, and later calls of the region get the cast of what it held before.
/// Linear in steps.
std::optional<NodeRef> writeToKeptCast(Trace& trace, const TermTable& terms, const Correspondence& correspondence);

} // namespace sunder
