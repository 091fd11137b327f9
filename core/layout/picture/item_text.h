#pragma once

#include "ir/graph.h"
#include "ir/node.h"
#include "layout/picture/picture.h"

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

/// Returns a word for the operation of a node: "add" for torch.ops.aten.add.Tensor, "mylib::foo" for an operator of another
/// library, "relu" for torch.nn.functional.relu, "view" for a method, "input", or "output". For call_module, the last component
/// of its path.
std::string opName(const Node& node);

/// "torch.nn.modules.linear.Linear" → "Linear".
std::string_view shortClass(std::string_view cls);

/// Returns a path relative to an enclosing path: ("layers.3.mlp", "layers.3") → "mlp".
std::string_view pathWithin(std::string_view path, std::string_view outer);

/// Returns the text, shortened in the middle with an ellipsis if it is too wide. Never splits a UTF-8 character.
std::string elideMiddle(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

/// The same, shortened at the end. For lists, whose first elements matter most.
std::string elideEnd(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

/// The same for a path, optionally after an arrow. Drops as many enclosing modules as necessary, because the end of a path
/// matters most: "→ blocks.0.attention_norm" → "→ …0.attention_norm". Shortens the rest in the middle if it is still too wide.
std::string elidePath(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

} // namespace sunder
