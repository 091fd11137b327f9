#pragma once

#include "ir/getitem.h"
#include "ir/program.h"

// What torch's deduplication and ours have in common.

namespace sunder {

/// Whether a value that a node computes is a tuple, named or not; its items() are its parts.
bool isTuple(const Argument& val);
/// Everything of a program but its root graph, which stays empty.
Program withoutRootGraph(const Program& source);
/// "subgraph_0", or the next such name that no child or attribute of the root module has.
InternedString freeSubgraphName(const Program& program);
/// Adds a module of that name below the root, with an empty graph. Returns the graph.
GraphId addSubgraph(Program& program, InternedString name);
/// Lets the graph call the modules that its call_module nodes name: those of the root module, as aliases below `owner`.
void aliasCalledModules(Program& program, GraphId graph);
/// A node as one hands it to another graph of the same program, with other arguments.
NodeSpec specWith(const Node& node, Arguments args, Keywords kwargs);

} // namespace sunder
