#pragma once

#include "ir/graph.h"

#include <string>
#include <string_view>

namespace sunder {

/// What the source calls a value: the variable that the line of the stack trace which makes it assigns it to, the
/// innermost call first that does not just return it. Where a line assigns to several variables, the values that
/// leave the line take them in order. Only calls of the outermost `depth` forward methods count. Empty when the trace
/// does not tell. Looks at a bounded number of neighbours.
inline constexpr std::size_t kAnyDepth = 1000;
std::string sourceName(const Graph& graph, NodeId value, std::size_t depth = kAnyDepth);

/// What a value is called where it is read from afar: the symbol that it is ("s27"), else the variable of the outermost forward
/// method where that says something ("cos", "mask"), else its node.
std::string nameFromAfar(const Graph& graph, NodeId value);

/// "s27" for a size that is a symbol of its own.
std::string symbolText(const Node& node);

/// False for names of the source that say nothing.
bool isTelling(std::string_view name);

/// The variables that a line of Python assigns to: "cos, sin = f(x)" → cos, sin; none for other lines.
std::vector<std::string> assignedNames(std::string_view line);

} // namespace sunder
