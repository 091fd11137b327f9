#pragma once

#include "analysis/snapshot.h"

#include <span>
#include <string_view>
#include <vector>

namespace sunder {

/// These nodes and all that they need, from inputs on; by id. O(nodes + uses).
std::vector<NodeId> withAllNeeded(const Graph& graph, std::span<const NodeId> nodes);
/// These nodes and all that need them, as far as outputs; by id. O(nodes + uses).
std::vector<NodeId> withAllNeeding(const Graph& graph, std::span<const NodeId> nodes);

/// Nodes that do the same as one of these: same operation and target, whatever their arguments; by id. O(nodes).
std::vector<NodeId> sameOperations(const Graph& graph, std::span<const NodeId> nodes);
/// Nodes of all modules of the same class as the one at `path` in which the same operations run in the same order, itself among
/// them; by id. Empty where no node runs in a module of that path. O(nodes × depth of their stacks).
std::vector<NodeId> inEqualModules(const Program& program, std::string_view path);

} // namespace sunder
