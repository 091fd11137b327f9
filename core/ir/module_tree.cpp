#include "ir/module_tree.h"

#include <algorithm>
#include <array>
#include <string>

namespace sunder {

ModuleTree::ModuleTree()
{
    m_modules.push_back({.path = {}, .name = {}, .parent = {}});
}

void ModuleTree::reserve(std::size_t modules)
{
    m_modules.reserve(modules);
    m_byPath.reserve(modules);
}

ModuleId ModuleTree::find(InternedString path) const
{
    if (path.empty())
        return root();
    const ModuleId* found = m_byPath.find(path);
    return found != nullptr ? *found : ModuleId();
}

ModuleId ModuleTree::resolve(std::string_view path) const
{
    if (const ModuleId whole = find(intern(path)); whole)
        return object(whole);
    ModuleId at = root();
    while (!path.empty()) {
        const std::size_t dot = std::min(path.find('.'), path.size());
        at = find(intern(joinPath(m_modules[at.index()].path.view(), path.substr(0, dot))));
        if (!at)
            return {};
        at = object(at);
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return at;
}

ModuleId ModuleTree::object(ModuleId id) const
{
    for (std::size_t steps = 0; m_modules[id.index()].same && steps < m_modules.size(); ++steps)
        id = m_modules[id.index()].same;
    return id;
}

ModuleId ModuleTree::ensure(std::string_view path)
{
    if (const ModuleId found = find(intern(path)); found)
        return found;
    ModuleId at = root();
    for (std::size_t start = 0; start < path.size();) {
        const std::size_t end = std::min(path.find('.', start), path.size());
        const std::size_t before = m_modules.size();
        at = ensureChild(at, intern(path.substr(start, end - start)));
        if (m_modules.size() > before && end < path.size())
            m_modules[at.index()].implied = true;
        start = end + 1;
    }
    return at;
}

ModuleId ModuleTree::ensureChild(ModuleId parent, InternedString name, InternedString path)
{
    if (path.empty())
        path = internPath(m_modules[parent.index()].path.view(), name.view());
    if (path.empty())
        return root();
    const ModuleId added(m_modules.size());
    if (const auto [there, isNew] = m_byPath.emplace(path, added); !isNew)
        return there;
    m_modules.push_back({.path = path, .name = name, .parent = parent});
    m_modules[parent.index()].children.push_back(added);
    return added;
}

std::vector<ModuleId> ModuleTree::depthFirst() const
{
    std::vector<ModuleId> order;
    order.reserve(m_modules.size());
    std::vector<ModuleId> todo = {root()};
    while (!todo.empty()) {
        const ModuleId id = todo.back();
        todo.pop_back();
        order.push_back(id);
        const std::vector<ModuleId>& children = m_modules[id.index()].children;
        todo.insert(todo.end(), children.rbegin(), children.rend());
    }
    return order;
}

std::string joinPath(std::string_view prefix, std::string_view name)
{
    if (prefix.empty())
        return std::string(name);
    if (name.empty())
        return std::string(prefix);
    std::string path(prefix);
    path += '.';
    path += name;
    return path;
}

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
