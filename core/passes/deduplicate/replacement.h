#pragma once

#include "ir/getitem.h"
#include "ir/program.h"

// Helpers shared by torch's deduplication and Sunder's own.

namespace sunder {

/// Returns whether a value is a tuple, named or not; its items() are its elements.
bool isTuple(const Argument& val);
/// Returns a copy of a program with an empty root graph.
Program withoutRootGraph(const Program& source);
/// Returns "subgraph_0", or the next such name that is no child or attribute of the root module.
InternedString freeSubgraphName(const Program& program);
/// Adds a module of that name below the root, with an empty graph. Returns the graph.
GraphId addSubgraph(Program& program, InternedString name);
/// Adds the modules that call_module nodes of the graph refer to below its owner, as aliases of those in the root module.
void aliasCalledModules(Program& program, GraphId graph);
/// Returns the spec for a copy of a node with other arguments, in another graph of the same program.
NodeSpec specWith(const Node& node, Arguments args, Keywords kwargs);

} // namespace sunder
