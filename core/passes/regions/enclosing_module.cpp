#include "passes/regions/enclosing_module.h"

#include <algorithm>

namespace sunder {

InternedString enclosingModule(const Program& program, std::span<const NodeId> nodes)
{
    const Graph& graph = program.rootGraph();
    std::span<const ModuleFrame> shared;
    bool isFirst = true;
    for (const NodeId id : nodes) {
        if (!graph[id].meta.modules)
            continue;
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (std::exchange(isFirst, false))
            shared = stack;
        const auto end = std::mismatch(shared.begin(), shared.end(), stack.begin(), stack.end()).first;
        shared = shared.first(static_cast<std::size_t>(end - shared.begin()));
    }
    return shared.empty() ? InternedString() : shared.back().path;
}

} // namespace sunder
