#pragma once

#include "analysis/snapshot.h"

#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns these nodes and all of their dependencies back to the inputs, by id. O(nodes + uses).
std::vector<NodeId> withAllNeeded(const Graph& graph, std::span<const NodeId> nodes);
/// Returns these nodes and everything that depends on them up to the outputs, by id. O(nodes + uses).
std::vector<NodeId> withAllNeeding(const Graph& graph, std::span<const NodeId> nodes);

/// Returns nodes with the same operation and target as one of these, regardless of arguments, by id. O(nodes).
std::vector<NodeId> sameOperations(const Graph& graph, std::span<const NodeId> nodes);
/// Returns the nodes of all modules that have the class of the module at `path` and run the same operations in the same order,
/// including that module, by id. Empty if no node runs in a module with that path. O(nodes × depth of their stacks).
std::vector<NodeId> inEqualModules(const Program& program, std::string_view path);

} // namespace sunder
