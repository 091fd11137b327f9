#include "tagging/latest_tags.h"

#include <algorithm>

namespace sunder {

std::vector<std::pair<NodeId, int>> latestTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::pair<NodeId, int>> filled;
    if (tags.order.empty())
        return filled; // no tag to assign
    std::vector<std::int32_t> tagOf = tags.tagOf;
    tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    const std::vector<NodeId> order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        if (!graph[*at].isCall() || tagOf[at->index()] >= 0)
            continue;
        int tag = static_cast<int>(tags.order.size()) - 1;
        for (const NodeId user : graph.users(*at))
            if (graph[user].isCall()) // users are already tagged
                tag = std::min(tag, tagOf[user.index()]);
        tagOf[at->index()] = tag;
        filled.emplace_back(*at, tag);
    }
    std::reverse(filled.begin(), filled.end());
    return filled;
}

} // namespace sunder
