#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// Why torch refuses to register a submodule of this name in a GraphModule (it is empty, holds a dot, or every
/// module has an attribute of that name), as the end of a sentence; nothing when the name will do.
std::optional<std::string> whyNoModuleName(std::string_view name);

} // namespace sunder
