#include "passes/building/target_paths.h"

namespace sunder {

TargetPaths::TargetPaths(const Program& source) : m_source(source)
{
    m_branches.push_back({.name = {}});
}

void TargetPaths::add(InternedString target)
{
    if (!m_done.emplace(target).second)
        return;
    const std::string_view path = target.view();
    const std::size_t dot = path.rfind('.');
    const std::uint32_t at = holder(path.substr(0, dot == std::string_view::npos ? 0 : dot));
    if (m_branches[at].carried)
        return;
    if (const TensorId tensor = m_source.tensorAt(target); tensor) {
        m_branches[at].tensors.emplace_back(target, tensor);
    } else if (const ModuleId module = m_source.modules.resolve(path); module) {
        Branch& branch = m_branches[child(at, path, path.substr(dot + 1))];
        branch.carried = module;
        branch.children.clear();
        branch.tensors.clear();
        m_lastPath = {};
        m_lastHolder = 0;
    }
}

/// The plain module at a path, made when it is not there; or the carried module that the path leads into.
std::uint32_t TargetPaths::holder(std::string_view path)
{
    if (path == m_lastPath)
        return m_lastHolder;
    std::uint32_t at = 0;
    for (std::size_t start = 0; start < path.size() && !m_branches[at].carried;) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        at = child(at, path.substr(0, dot), path.substr(start, dot - start));
        start = dot + 1;
    }
    m_lastPath = path;
    m_lastHolder = at;
    return at;
}

std::uint32_t TargetPaths::child(std::uint32_t parent, std::string_view path, std::string_view name)
{
    const auto [at, isNew] = m_byPath.emplace(path, static_cast<std::uint32_t>(m_branches.size()));
    if (isNew) {
        m_branches.push_back({.name = intern(name)});
        m_branches[parent].children.push_back(at->second);
    }
    return at->second;
}

} // namespace sunder
