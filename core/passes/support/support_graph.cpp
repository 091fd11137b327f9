#include "passes/support/support_graph.h"

#include "analysis/operator_support/support_rules.h"
#include "ir/getitem.h"
#include "ir/value_kind.h"
#include "passes/move_non_tensor/move_non_tensor.h"

namespace sunder {

SupportGraph::SupportGraph(const Program& program) : graph(program.rootGraph()), nodes(graph.order())
{
    static const InternedString kTensor = intern("torch.Tensor");
    static const InternedString kParameter = intern("torch.nn.parameter.Parameter");
    const std::vector<std::uint32_t> position = graph.positions();
    for (const NodeId id : nodes) {
        const Node& node = graph[id];
        for (const NodeId user : graph.users(id))
            users.add(position[user.index()]);
        users.endRow();
        for (const NodeId input : graph.inputs(id))
            inputs.add(position[input.index()]);
        inputs.endRow();
        isCall.push_back(node.isCall() ? 1 : 0);
        isGetitem.push_back(sunder::isGetitem(node) ? 1 : 0);
        const bool isOfTensorType = node.meta.outType == kTensor || node.meta.outType == kParameter;
        isTensor.push_back(makesTensor(node) ? 1 : 0);
        holdsTensor.push_back(isOfTensorType || (node.meta.val && sunder::holdsTensor(*node.meta.val)) ? 1 : 0);
        bytes.push_back(knownBytes(node));
    }
}

StrongComponents componentsOf(const SupportGraph& graph, std::span<const std::uint32_t> groupOf, std::size_t groups)
{
    const auto unitOf = [&](std::uint32_t at) { return groupOf[at] != SupportParts::kNone ? groupOf[at] : groups + at; };
    std::vector<std::vector<std::uint32_t>> next(groups + graph.size());
    for (std::uint32_t at = 0; at < graph.size(); ++at)
        for (const std::uint32_t user : graph.users[at])
            if (unitOf(user) != unitOf(at))
                next[unitOf(at)].push_back(static_cast<std::uint32_t>(unitOf(user)));
    return strongComponents(static_cast<std::uint32_t>(next.size()),
                            [&](std::uint32_t unit) -> const auto& { return next[unit]; });
}

} // namespace sunder
