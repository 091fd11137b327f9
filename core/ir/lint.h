#pragma once

#include "ir/program.h"
#include "support/diagnostic.h"

namespace sunder {

/// What is structurally wrong with a program: use before definition, two nodes of a name, more than one output,
/// a call_module or get_attr whose target the module tree does not have, an argument that is not a node of its
/// graph, a graph that is not there or that holds itself, users that do not match arguments. Empty when all is well. O(nodes + arguments).
Diagnostics lint(const Program& program);

/// The checks that need one graph only.
Diagnostics lint(const Graph& graph);

} // namespace sunder
