#pragma once

#include "passes/unflatten/flat_tensors.h"
#include "passes/unflatten/outline.h"

namespace sunder {

/// Replaces placeholders for parameters, buffers and constants by get_attr nodes in the module that contains the tensor, or in
/// its ancestors; calls no longer pass them. Modules are processed depth first, so that each tensor sinks as deep as possible.
/// Tensors outside the module remain arguments. Records replacements in `outline.sunk`. Linear.
void sinkParameters(Outline& outline, const FlatTensors& tensors, bool asUpstream);

} // namespace sunder
