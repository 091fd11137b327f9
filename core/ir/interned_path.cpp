#include "ir/interned_path.h"

#include "ir/module_tree.h"

#include <array>

namespace sunder {

InternedString internPath(std::string_view prefix, std::string_view name)
{
    std::array<char, 256> path;
    const std::size_t size = prefix.size() + 1 + name.size();
    if (prefix.empty() || name.empty())
        return intern(prefix.empty() ? name : prefix);
    if (size > path.size())
        return intern(joinPath(prefix, name));
    prefix.copy(path.data(), prefix.size());
    path[prefix.size()] = '.';
    name.copy(path.data() + prefix.size() + 1, name.size());
    return intern({path.data(), size});
}

} // namespace sunder
