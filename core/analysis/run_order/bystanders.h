#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Per NodeId of a graph, 1 for calls that compute nothing that is used: assertions, and calls without effects whose results
/// only such calls read, or nobody. Calls of modules, of what nobody knows and of what draws random numbers are none; nor is
/// an unused result in a graph that has no output. O(nodes + arguments).
std::vector<char> bystandersOf(const Program& program, GraphId graph);

} // namespace sunder
