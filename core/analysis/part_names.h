#pragma once

#include "ir/graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Explains why PyTorch refuses to register a submodule with this name in a GraphModule: it is empty, it contains a dot, or every
/// module has such an attribute. Returns the end of a sentence, or nothing for a valid name.
std::optional<std::string> whyNoModuleName(std::string_view name);

/// Explains why split_by_tags refuses this name as a tag of `graph`: for a reason of whyNoModuleName(), or because the output
/// reads an attribute of this name, which PyTorch registers in the module of the parts. Returns the end of a sentence, or nothing
/// for a valid name. O(results).
std::optional<std::string> whyNoPartName(const Graph& graph, std::string_view name);

} // namespace sunder
