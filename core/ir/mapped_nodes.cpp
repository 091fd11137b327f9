#include "ir/mapped_nodes.h"

#include <algorithm>

namespace sunder {

std::vector<NodeRef> resultsOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeId> nodes, Mapped which)
{
    constexpr std::size_t kCheaperOneByOne = 16;
    std::vector<NodeRef> results;
    const auto add = [&](const IdentityMap::Pair& pair) {
        if (which == Mapped::all || !pair.created)
            results.push_back(pair.result);
    };
    if (nodes.size() < map.pairs().size() / kCheaperOneByOne) {
        for (const NodeId id : nodes)
            std::ranges::for_each(map.resultsOf({graph, id}), add);
        return results;
    }
    auto next = nodes.begin();
    for (const IdentityMap::Pair& pair : map.pairs()) {
        if (pair.source.graph != graph)
            continue;
        while (next != nodes.end() && *next < pair.source.node)
            ++next;
        if (next != nodes.end() && *next == pair.source.node)
            add(pair);
    }
    return results;
}

std::vector<NodeId> sourcesOfNodes(const IdentityMap& map, GraphId graph, std::span<const NodeRef> results)
{
    std::vector<NodeId> sources;
    for (const NodeRef ref : results)
        for (const IdentityMap::Pair& pair : map.sourcesOf(ref))
            if (pair.source.graph == graph)
                sources.push_back(pair.source.node);
    std::ranges::sort(sources);
    const auto rest = std::ranges::unique(sources);
    sources.erase(rest.begin(), rest.end());
    return sources;
}

} // namespace sunder
