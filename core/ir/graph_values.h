#pragma once

#include "ir/program.h"

#include <functional>

namespace sunder {

/// Whether the value contains a graph at any depth. O(size of the value).
bool holdsGraph(const Argument& argument);
/// Whether the arguments of the node contain a graph. O(arguments).
bool holdsGraphs(const Node& node);
/// Whether the arguments of any node of the graph contain a graph.
bool holdsGraphs(const Graph& graph);
/// Whether the arguments of any node of the root graph contain a graph. Such graphs belong to no module, so for most programs the
/// answer does not require a look at the nodes.
bool argumentsHoldGraphs(const Program& program);

/// Returns a copy in which every graph is replaced. Nodes do not change.
Argument mapGraphs(const Argument& argument, const std::function<GraphId(GraphId)>& graphOf);

/// Replaces every graph in the arguments of a graph's nodes; `users` do not change. `graphOf` may add graphs to the program, but
/// must not move this one. O(arguments).
void renumberGraphs(Graph& graph, const std::function<GraphId(GraphId)>& graphOf);

} // namespace sunder
