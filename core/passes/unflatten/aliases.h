#pragma once

#include "ir/graph.h"

#include <vector>

namespace sunder {

/// Nodes that hold a placeholder's value in its own memory: itself, and views of it. By the storages of `val` where both
/// sides have one, else by what operators are views. What an operator wrote in place is left out. O(uses of them).
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder);

/// The same for a node whose views name another storage than it does itself.
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId node, InternedString storage);

} // namespace sunder
