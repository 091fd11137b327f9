#pragma once

#include "passes/unflatten/outline.h"

namespace sunder {

/// Brings the reads of an outline that reads tensors directly into the form that sinkParameters() gives: names, order,
/// order of users. False when it cannot be the same, because a module does not stand where its calls say or a name
/// depends on what was left out: the outline is then to be made again with tensors as arguments. Linear.
bool settleReads(Outline& outline, const Graph& flat);

} // namespace sunder
