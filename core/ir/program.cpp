#include "ir/program.h"

namespace sunder {

GraphId Program::addGraph(ModuleId owner)
{
    const GraphId id(graphs.size());
    graphs.emplace_back();
    owners.push_back(owner);
    if (owner)
        modules[owner].graph = id;
    if (owner == ModuleTree::root())
        root = id;
    return id;
}

std::size_t Program::nodeCount() const
{
    std::size_t count = 0;
    for (const Graph& graph : graphs)
        count += graph.size();
    return count;
}

const ModuleStack& Program::stackOf(const Node& node) const
{
    static const ModuleStack kEmpty;
    return node.meta.modules ? stacks[node.meta.modules.index()] : kEmpty;
}

} // namespace sunder
