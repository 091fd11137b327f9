#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Finds dead ops: returns 1, per NodeId of a graph, for assertions, and for calls without effects whose results are unused or
/// only used by such calls. Calls of modules, unknown operators and random ops are never dead; nor are unused results in a graph
/// without an output. O(nodes + arguments).
std::vector<char> deadAndAssertNodes(const Program& program, GraphId graph);

} // namespace sunder
