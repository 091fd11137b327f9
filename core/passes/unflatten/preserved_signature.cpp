#include "passes/unflatten/preserved_signature.h"

#include "ir/getitem.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::string_view kFlattenSpec = "torch.fx._pytree.tree_flatten_spec";

/// Returns the call that flattens a module's own inputs. Calls that flatten the result of another call have a node as first
/// argument.
NodeId flatteningOf(const Graph& graph)
{
    for (const NodeId id : graph.nodes()) {
        const Node& node = graph[id];
        if (node.op == Op::callFunction && node.target.view() == kFlattenSpec)
            return node.args.empty() || !node.args[0].isCompound() ? NodeId() : id;
        if (node.isCall())
            return {}; // a flattening would precede all calls
    }
    return {};
}

} // namespace

bool keepsSignature(const Graph& graph)
{
    return flatteningOf(graph).isValid();
}

std::vector<NodeId> flattenedInputs(const Graph& graph)
{
    const NodeId flattening = flatteningOf(graph);
    if (!flattening)
        return {};
    const auto isInput = [&](NodeId id) { return graph[id].op == Op::placeholder; };
    const auto inputs = static_cast<std::size_t>(std::count_if(graph.nodes().begin(), graph.nodes().end(), isInput));
    std::vector<NodeId> values(inputs);
    bool isOneEach = true;
    for (const NodeId user : graph.users(flattening)) {
        const std::optional<std::int64_t> at = itemNumber(graph[user]);
        if (!at)
            continue;
        if (*at >= 0 && std::cmp_less(*at, inputs))
            values[static_cast<std::size_t>(*at)] = user;
        else
            isOneEach = false; // an input with several values
    }
    return isOneEach ? values : std::vector<NodeId>(inputs);
}

} // namespace sunder
