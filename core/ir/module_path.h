#pragma once

#include <string_view>

namespace sunder {

/// True for the module at `module` and for what is below it: "layers.30" is not below "layers.3".
inline bool isWithin(std::string_view path, std::string_view module)
{
    return path.starts_with(module) && (path.size() == module.size() || path[module.size()] == '.');
}

} // namespace sunder
