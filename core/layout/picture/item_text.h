#pragma once

#include "ir/node.h"
#include "layout/picture/picture.h"

#include <string>
#include <string_view>

namespace sunder {

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
