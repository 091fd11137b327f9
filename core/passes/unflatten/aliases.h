#pragma once

#include "ir/graph.h"

#include <vector>

namespace sunder {

/// Returns the nodes that hold a placeholder's value in its own memory: itself and its views. Compares the storages of `val` if
/// both nodes have one; otherwise uses the operators' known aliasing. Excludes results of in-place writes. O(their uses).
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId placeholder);

/// As above, for a node whose views have a storage other than its own.
std::vector<NodeId> aliasesOf(const Graph& graph, NodeId node, InternedString storage);

} // namespace sunder
