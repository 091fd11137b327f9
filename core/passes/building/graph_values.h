#pragma once

#include "ir/program.h"

#include <functional>

namespace sunder {

/// True when a graph stands in the arguments of the node, at any depth. O(arguments).
bool holdsGraphs(const Node& node);
/// True when one does in any node of the graph.
bool holdsGraphs(const Graph& graph);
/// True when one does in any node of the root graph. Such a graph belongs to no module, so most programs are answered
/// without a look at the nodes.
bool argumentsHoldGraphs(const Program& program);

/// A copy in which every graph is replaced; nodes stay.
Argument mapGraphs(const Argument& argument, const std::function<GraphId(GraphId)>& graphOf);

/// Gives a node arguments with the same nodes in the same places; unlike Graph::setArguments, `users` keep their order.
void replaceArguments(Graph& graph, NodeId id, Arguments args, Keywords kwargs);

} // namespace sunder
