#pragma once

#include "ir/graph.h"

#include <string>

namespace sunder {

/// The first attribute in which a node is not like another one of the same graph, as something to say of it: "has 0.5,
/// not 0.125", "calls aten.gelu.default, not aten.relu.default", "takes f32[8], not f32[16]". Compared is what region
/// tracking looks at: op, target, arguments with their constants, keywords, and what the inputs are. Empty when all that
/// is equal. O(arguments and what the inputs' `val` hold).
std::string nodeDifference(const Graph& graph, NodeId node, NodeId other);

} // namespace sunder
