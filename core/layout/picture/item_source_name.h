#pragma once

#include "ir/graph.h"

#include <string>
#include <string_view>

namespace sunder {

/// Returns the variable name of a value in the Python source. It is the variable that the producing line of the stack trace
/// assigns to, taken from the innermost call that does not just return the value. If a line assigns to several variables, the
/// values that leave the line match them in order. Only the outermost `depth` forward methods count. Empty if the trace has no
/// such name. Examines a bounded number of neighbors.
inline constexpr std::size_t kAnyDepth = 1000;
std::string sourceName(const Graph& graph, NodeId value, std::size_t depth = kAnyDepth);

/// Returns the name of a value for distant consumers: its symbol ("s27"), else its variable in the outermost forward method if
/// that is meaningful ("cos", "mask"), else its node.
std::string nameFromAfar(const Graph& graph, NodeId value);

/// Returns "s27" for a size that is a single symbol.
std::string symbolText(const Node& node);

/// False for meaningless variable names.
bool isTelling(std::string_view name);

/// Returns the variables that a line of Python assigns to: cos and sin for "cos, sin = f(x)". Empty for other lines.
std::vector<std::string> assignedNames(std::string_view line);

} // namespace sunder
