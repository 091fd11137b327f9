#pragma once

#include "ir/graph.h"

#include <vector>

namespace sunder {

/// Returns whether the graph belongs to a module with a preserved signature, which takes the arguments of the original forward().
/// Such a graph first flattens them to the values that the ops read, and finally packs the results.
bool keepsSignature(const Graph& graph);

/// Returns, per input of such a graph, its flattened value; invalid if it has none or several, or if it is unused. Empty for a
/// graph without a preserved signature.
std::vector<NodeId> flattenedInputs(const Graph& graph);

} // namespace sunder
