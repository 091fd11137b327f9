#pragma once

#include "ir/node.h"
#include "layout/picture/picture.h"

#include <string>
#include <string_view>

namespace sunder {

/// What a node does, in a word: "add" for torch.ops.aten.add.Tensor, "mylib::foo" for an operator of another library,
/// "relu" for torch.nn.functional.relu, "view" for a method, "input", "output"; for call_module the last part of its
/// path.
std::string opName(const Node& node);

/// "torch.nn.modules.linear.Linear" → "Linear".
std::string_view shortClass(std::string_view cls);

/// A path without the path of what it lies in: ("layers.3.mlp", "layers.3") → "mlp".
std::string_view pathWithin(std::string_view path, std::string_view outer);

/// The text, or as much of its ends as fits with an ellipsis between. Never splits a UTF-8 character.
std::string elideMiddle(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

/// The same, or as much of its begin as fits with an ellipsis behind: for a list, of which the first matter most.
std::string elideEnd(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

/// The same for a path, with an arrow before it or none, which says most at its end: without as many modules around it as need be,
/// "→ blocks.0.attention_norm" → "→ …0.attention_norm". What is too long even so loses its middle.
std::string elidePath(std::string_view text, float width, TextRole role, const TextWidth& textWidth);

} // namespace sunder
