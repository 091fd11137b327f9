#include "passes/unflatten/outline.h"

namespace sunder {

std::optional<std::string_view> accessor(std::string_view parent, std::string_view path)
{
    if (parent.empty())
        return path;
    if (path.size() <= parent.size() || !path.starts_with(parent) || path[parent.size()] != '.')
        return std::nullopt;
    return path.substr(parent.size() + 1);
}

NodeId Outline::create(ObjectGraphId id, NodeSpec spec)
{
    Graph& graph = objects.graph(id);
    const InternedString candidate = spec.name.empty() ? candidateName(spec.op, spec.target, spec.fn) : spec.name;
    spec.name = names.create(id, graph, candidate);
    return graph.insert(std::move(spec));
}

} // namespace sunder
