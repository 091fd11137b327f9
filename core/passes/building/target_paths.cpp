#include "passes/building/target_paths.h"

#include <algorithm>

namespace sunder {

TargetPaths::TargetPaths(const Program& source, std::span<const ModuleId> holders) : m_source(source), m_holders(holders)
{
    m_branches.push_back({.name = {}});
}

void TargetPaths::add(InternedString target, InternedString path)
{
    if (target.empty() || !m_done.insert(target))
        return;
    const TensorId named = m_source.tensors.find(target);
    if (named && m_holders[named.index()]) {
        const std::uint32_t at = holder(m_holders[named.index()]);
        if (!m_branches[at].carried)
            m_branches[at].tensors.emplace_back(path, named);
        return;
    }
    const std::string_view text = target.view();
    const std::size_t dot = text.rfind('.');
    const std::uint32_t at = holder(text.substr(0, dot == std::string_view::npos ? 0 : dot));
    if (m_branches[at].carried)
        return;
    if (const TensorId tensor = m_source.tensorAt(target); tensor) {
        m_branches[at].tensors.emplace_back(path, tensor);
    } else if (const ModuleId module = m_source.modules.resolve(text); module) {
        Branch& branch = m_branches[child(at, target, intern(text.substr(dot + 1)))];
        branch.carried = module;
        branch.children.clear();
        branch.tensors.clear();
        m_lastModule = {};
    }
}

/// Returns the plain module at a path, created on demand, or the carried module that contains the path.
std::uint32_t TargetPaths::holder(std::string_view path)
{
    std::uint32_t at = 0;
    for (std::size_t start = 0; start < path.size() && !m_branches[at].carried;) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, intern(path.substr(0, dot)), intern(path.substr(start, dot - start)));
        start = dot + 1;
    }
    return at;
}

/// As above, for the path of a source module.
std::uint32_t TargetPaths::holder(ModuleId module)
{
    if (module == m_lastModule)
        return m_lastHolder;
    const ModuleTree& modules = m_source.modules;
    m_way.clear();
    bool areNamesPlain = true;
    for (ModuleId up = module; up != ModuleTree::root(); up = modules[up].parent) {
        m_way.push_back(up);
        areNamesPlain = areNamesPlain && modules[up].name.view().find('.') == std::string_view::npos;
    }
    std::uint32_t at = 0;
    if (areNamesPlain) {
        for (auto next = m_way.rbegin(); next != m_way.rend() && !m_branches[at].carried; ++next)
            at = child(at, modules[*next].path, modules[*next].name);
    } else {
        at = holder(modules[module].path.view());
    }
    m_lastModule = module;
    m_lastHolder = at;
    return at;
}

std::uint32_t TargetPaths::child(std::uint32_t parent, InternedString path, InternedString name)
{
    const auto [at, isNew] = m_byPath.emplace(path, static_cast<std::uint32_t>(m_branches.size()));
    if (isNew) {
        m_branches.push_back({.name = name});
        m_branches[parent].children.push_back(at);
    }
    return at;
}

} // namespace sunder
