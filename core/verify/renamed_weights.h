#pragma once

#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/tensor_contents.h"

#include <optional>

namespace sunder {

/// Returns program `b` with weights renamed to those of `a` that have the same bytes and description. Considers weights whose
/// name only one of the programs has, up to a bound. Returns nothing if there is no such pair. TensorIds stay the same. Fails like
/// TensorContents::compare(). Linear in nodes and in the bytes of the considered weights, times their number.
Result<std::optional<Program>> withNamesOf(const Program& a, const Program& b, const TensorContents& contents,
                                           ProgressMonitor& monitor);

} // namespace sunder
