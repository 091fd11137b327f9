#pragma once

#include "ir/program.h"

#include <functional>

namespace sunder {

/// True when a graph stands in the value, at any depth. O(size of the value).
bool holdsGraph(const Argument& argument);
/// True when one does in the arguments of the node. O(arguments).
bool holdsGraphs(const Node& node);
/// True when one does in any node of the graph.
bool holdsGraphs(const Graph& graph);
/// True when one does in any node of the root graph. Such a graph belongs to no module, so most programs are answered
/// without a look at the nodes.
bool argumentsHoldGraphs(const Program& program);

/// A copy in which every graph is replaced; nodes stay.
Argument mapGraphs(const Argument& argument, const std::function<GraphId(GraphId)>& graphOf);

/// Replaces every graph in the arguments of a graph's nodes; `users` stay as they are. `graphOf` may add graphs to the
/// program, but not move this one. O(arguments).
void renumberGraphs(Graph& graph, const std::function<GraphId(GraphId)>& graphOf);

} // namespace sunder
