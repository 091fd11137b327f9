#pragma once

#include "ir/graph.h"

#include <vector>

namespace sunder {

/// A module whose signature is preserved takes what its forward took: its graph begins by flattening that into the
/// values that the ops read, and ends by putting results together again.
bool keepsSignature(const Graph& graph);

/// Per input of such a graph, in order, the value that it is flattened into; invalid where it is none or several, or
/// nothing reads it. Empty for a graph that keeps no signature.
std::vector<NodeId> flattenedInputs(const Graph& graph);

} // namespace sunder
