#pragma once

#include "ir/program.h"
#include "support/diagnostic.h"

namespace sunder {

/// Returns the structural problems of a program: use before definition, duplicate node names, more than one output, a call_module
/// or get_attr target that is not in the module tree, an argument that is not a node of its graph, a missing graph or one that
/// contains itself, and users that do not match arguments. Empty for a valid program. O(nodes + arguments).
Diagnostics lint(const Program& program);

/// Returns the problems that can be found in a single graph.
Diagnostics lint(const Graph& graph);

} // namespace sunder
