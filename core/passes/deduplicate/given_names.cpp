#include "passes/deduplicate/given_names.h"

#include "support/step_monitor.h"

namespace sunder {

Namespace givenNames(const Graph& graph, ProgressMonitor& monitor)
{
    Namespace names;
    names.reserve(graph.size());
    StepMonitor steps(monitor);
    for (const NodeId id : graph.nodes()) {
        if (!steps.shouldContinue())
            break;
        const Node& node = graph.node(id);
        if (names.create(candidateName(node.op, node.target, node.fn)) != node.name)
            names.create(node.name);
    }
    return names;
}

} // namespace sunder
