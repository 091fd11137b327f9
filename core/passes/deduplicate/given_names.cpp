#include "passes/deduplicate/given_names.h"

namespace sunder {

Namespace givenNames(const Graph& graph)
{
    Namespace names;
    names.reserve(graph.size());
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph.node(id);
        if (names.create(candidateName(node.op, node.target, node.fn)) != node.name)
            names.create(node.name);
    }
    return names;
}

} // namespace sunder
