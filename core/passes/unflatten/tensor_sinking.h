#pragma once

#include "passes/unflatten/outline.h"

namespace sunder {

/// Replaces placeholders for parameters, buffers and constants by get_attr nodes in the module that contains the tensor, or in
/// its ancestors; calls no longer pass them. Modules are processed depth first, so that each tensor sinks as deep as possible.
/// Tensors outside the module remain arguments. Records replacements in `outline.sunk`. Linear.
void sinkParameters(Outline& outline, const TensorNames& tensors, bool asUpstream);

/// Changes the reads of an outline with direct tensor reads to the form that sinkParameters() produces: names, order, and order
/// of users. Returns false if the forms may differ, because a module is not at the path of its call or a name depends on omitted
/// nodes. The outline must then be rebuilt with tensors as arguments. Linear.
bool settleReads(Outline& outline, const Graph& flat);

} // namespace sunder
