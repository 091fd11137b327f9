#include "passes/target_paths.h"

namespace sunder {

TargetPaths::TargetPaths(const Program& source) : m_source(source)
{
    m_branches.push_back({.name = {}});
}

void TargetPaths::add(InternedString target)
{
    if (!m_done.insert(target).second)
        return;
    const std::string_view path = target.view();
    std::uint32_t at = 0;
    std::size_t start = 0;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', start)) {
        at = child(at, path.substr(0, dot), path.substr(start, dot - start));
        if (m_branches[at].carried)
            return;
        start = dot + 1;
    }
    const std::string_view last = path.substr(start);
    if (const TensorId tensor = m_source.tensors.find(target); tensor) {
        m_branches[at].tensors.emplace_back(intern(last), tensor);
    } else if (const ModuleId module = m_source.modules.resolve(path); module) {
        Branch& branch = m_branches[child(at, path, last)];
        branch.carried = module;
        branch.children.clear();
        branch.tensors.clear();
    }
}

std::uint32_t TargetPaths::child(std::uint32_t parent, std::string_view path, std::string_view name)
{
    const auto [at, isNew] = m_byPath.emplace(intern(path), static_cast<std::uint32_t>(m_branches.size()));
    if (isNew) {
        m_branches.push_back({.name = intern(name)});
        m_branches[parent].children.push_back(at->second);
    }
    return at->second;
}

} // namespace sunder
