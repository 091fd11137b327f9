#include "analysis/training/forward_program.h"

#include <algorithm>

namespace sunder {
namespace {

void dropBackward(Program& program, const TrainingGraph& training)
{
    Graph& graph = program.rootGraph();
    std::vector<OutputSpec> specs;
    if (const NodeId output = graph.output(); output && !graph[output].args.empty() && graph[output].args.front().isCompound()) {
        Arguments kept;
        const auto results = graph[output].args.front().items();
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].is(ArgumentKind::node) && training.isBackwardCall(results[i].asNode()))
                continue;
            kept.push_back(results[i]);
            if (program.signature && i < program.signature->outputs.size())
                specs.push_back(program.signature->outputs[i]);
        }
        graph.setArguments(output, {Argument::tuple(std::move(kept))}, {});
    }
    if (program.signature)
        program.signature->outputs = std::move(specs);
    std::vector<NodeId> order = graph.order();
    std::ranges::reverse(order);
    for (const NodeId id : order)
        if (training.isBackwardCall(id) && graph[id].userCount() == 0) // the forward calls of a file may use backward ones
            (void)graph.erase(id);
}

} // namespace

Program forwardProgram(const Program& program, const TrainingGraph& training)
{
    Program forward = program;
    dropBackward(forward, training);
    return forward;
}

} // namespace sunder
