#pragma once

#include "ir/graph.h"

#include <string>

namespace sunder {

/// What the source calls a value: the variable that the line of the stack trace which makes it assigns it to, the
/// innermost call first that does not just return it. Where a line assigns to several variables, the values that
/// leave the line take them in order. Only calls of the outermost `depth` forward methods count. Empty when the trace
/// does not tell. Looks at a bounded number of neighbours.
inline constexpr std::size_t kAnyDepth = 1000;
std::string sourceName(const Graph& graph, NodeId value, std::size_t depth = kAnyDepth);

/// The variables that a line of Python assigns to: "cos, sin = f(x)" → cos, sin; none for other lines.
std::vector<std::string> assignedNames(std::string_view line);

} // namespace sunder
