#pragma once

#include "ir/graph.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Why torch refuses to register a submodule of this name in a GraphModule (it is empty, holds a dot, or every
/// module has an attribute of that name), as the end of a sentence; nothing when the name will do.
std::optional<std::string> whyNoModuleName(std::string_view name);

/// Why split_by_tags refuses this name for a tag of `graph`: whyNoModuleName(), or an attribute that the output reads, which torch
/// puts beside the parts under the name of its node. As the end of a sentence; nothing when the name will do. O(results).
std::optional<std::string> whyNoPartName(const Graph& graph, std::string_view name);

} // namespace sunder
