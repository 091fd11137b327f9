#pragma once

#include "ir/graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Why torch refuses to register a submodule of this name in a GraphModule (it is empty, holds a dot, or every
/// module has an attribute of that name), as the end of a sentence; nothing when the name will do.
std::optional<std::string> whyNoModuleName(std::string_view name);

/// Why split_by_tags refuses this name for a tag of `graph`: as for whyNoModuleName(), or because the output reads an attribute
/// of this name: torch registers such attributes in the module of the parts. The end of a sentence; nothing for a usable name. O(results).
std::optional<std::string> whyNoPartName(const Graph& graph, std::string_view name);

} // namespace sunder
