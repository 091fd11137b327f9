#pragma once

#include "verify/symbol_mapping.h"
#include "verify/trace.h"

#include <optional>

namespace sunder {

/// Returns the first call in an autocast region that writes to a tensor that an earlier call of the region may have cast.
/// Autocast caches casts of tensors that require gradients, so later calls would see the cast of the old contents. Linear in
/// steps.
std::optional<NodeRef> writeToKeptCast(Trace& trace, const TermTable& terms, const SymbolMapping& mapping);

} // namespace sunder
