#include "passes/move_non_tensor/move_by_tags.h"

#include <algorithm>

namespace sunder {
namespace {

std::vector<NodeSubgraph> subgraphsOf(const Graph& graph, const TagAssignment& tags,
                                      const std::vector<InternedString>& accelerators)
{
    std::vector<NodeSubgraph> subgraphs;
    for (const InternedString tag : tags.order)
        subgraphs.push_back({.isAcc = accelerators.empty() || std::ranges::find(accelerators, tag) != accelerators.end(),
                             .nodes = {},
                             .name = tag.str()});
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall() && tags[id] != TagAssignment::kUntagged)
            subgraphs[static_cast<std::size_t>(tags[id])].nodes.push_back(id);
    return subgraphs;
}

} // namespace

Result<MoveByTagsResult> moveNonTensorByTags(const Graph& graph, const TagAssignment& tags, const MoveByTagsOptions& options,
                                             ProgressMonitor& monitor)
{
    for (const InternedString name : options.accelerators)
        if (std::ranges::find(tags.order, name) == tags.order.end())
            return fail(ErrorCode::refused, name.str() + " is listed as an accelerator part, but there is no such tag",
                        {.other = name.str()});
    SUNDER_TRY(MoveNonTensorResult moves,
               moveNonTensorNodes(graph, subgraphsOf(graph, tags, options.accelerators), monitor, options.telling));
    MoveByTagsResult result{.tags = tags, .moves = std::move(moves)};
    for (const MovedNonTensor& move : result.moves.moved)
        result.tags.tagOf[move.node.index()] = static_cast<std::int32_t>(move.to);
    return result;
}

} // namespace sunder
