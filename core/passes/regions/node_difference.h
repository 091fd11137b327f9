#pragma once

#include "ir/graph.h"

#include <string>

namespace sunder {

/// Describes the first difference between two nodes of a graph: "has 0.5, not 0.125", "calls aten.gelu.default, not
/// aten.relu.default", "takes f32[8], not f32[16]". Compares what region tracking compares: op, target, arguments with their
/// constants, keywords, and the values of inputs. Empty if all are equal. O(arguments and the size of the inputs' `val`).
std::string nodeDifference(const Graph& graph, NodeId node, NodeId other);

} // namespace sunder
