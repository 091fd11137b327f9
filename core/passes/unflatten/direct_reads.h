#pragma once

#include "passes/unflatten/outline.h"

namespace sunder {

/// Changes the reads of an outline with direct tensor reads to the form that sinkParameters() produces: names, order, and order
/// of users. Returns false if the forms may differ, because a module is not at the path of its call or a name depends on omitted
/// nodes. The outline must then be rebuilt with tensors as arguments. Linear.
bool settleReads(Outline& outline, const Graph& flat);

} // namespace sunder
