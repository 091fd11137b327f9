#pragma once

#include "ir/graph.h"

#include <string>

namespace sunder {

/// What the source calls a value: the variable that the line of the stack trace which makes it assigns it to, the
/// innermost call first that does not just return it. Where a line assigns to several variables, the values that
/// leave the line take them in order. Empty when the trace does not tell. Looks at a bounded number of neighbours.
std::string sourceName(const Graph& graph, NodeId value);

/// The variables that a line of Python assigns to: "cos, sin = f(x)" → cos, sin; none for other lines.
std::vector<std::string> assignedNames(std::string_view line);

} // namespace sunder
