#pragma once

#include "passes/unflatten/outline.h"

namespace sunder {

/// Turns placeholders for parameters, buffers and constants into get_attr nodes of the module that the tensor lies in,
/// or below; calls no longer pass them. Modules are taken depth first, so that a tensor sinks as deep as it can. What
/// lies outside the module stays an argument. Notes in `outline.sunk` what replaced what. Linear.
void sinkParameters(Outline& outline, const TensorNames& tensors, bool asUpstream);

} // namespace sunder
