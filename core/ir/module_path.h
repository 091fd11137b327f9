#pragma once

#include <string_view>

namespace sunder {

/// Whether a path is that of `module` or of one of its descendants. "layers.30" is not below "layers.3".
inline bool isWithin(std::string_view path, std::string_view module)
{
    return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
}

} // namespace sunder
