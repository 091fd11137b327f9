#include "ir/identity_map.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

/// Positions of each node's pairs in an order sorted by node. Uses counting sort, because node ids are dense.
template <typename NodeOf>
class PlacesBy {
public:
    PlacesBy(const std::vector<IdentityMap::Pair>& pairs, const NodeOf& nodeOf) : m_nodeOf(nodeOf), m_firstOfGraph(1, 0)
    {
        for (const IdentityMap::Pair& pair : pairs) {
            const NodeRef node = nodeOf(pair);
            if (m_firstOfGraph.size() < node.graph.index() + 2)
                m_firstOfGraph.resize(node.graph.index() + std::size_t{2}, 0);
            std::size_t& bound = m_firstOfGraph[node.graph.index() + 1];
            bound = std::max<std::size_t>(bound, node.node.index() + std::size_t{1});
        }
        std::partial_sum(m_firstOfGraph.begin(), m_firstOfGraph.end(), m_firstOfGraph.begin());
        m_next.assign(m_firstOfGraph.back() + 1, 0);
        for (const IdentityMap::Pair& pair : pairs)
            ++m_next[keyOf(pair) + 1];
        std::partial_sum(m_next.begin(), m_next.end(), m_next.begin());
    }

    /// Returns the next position for a pair of its node. The sort is stable.
    std::uint32_t take(const IdentityMap::Pair& pair) { return m_next[keyOf(pair)]++; }

private:
    [[nodiscard]] std::size_t keyOf(const IdentityMap::Pair& pair) const
    {
        const NodeRef node = m_nodeOf(pair);
        return m_firstOfGraph[node.graph.index()] + node.node.index();
    }

    const NodeOf& m_nodeOf;
    std::vector<std::size_t> m_firstOfGraph;
    std::vector<std::uint32_t> m_next;
};

} // namespace

void IdentityMap::finish()
{
    const auto sourceOf = [](const Pair& pair) { return pair.source; };
    const auto resultOf = [](const Pair& pair) { return pair.result; };
    std::vector<Pair> sorted(m_pairs.size());
    PlacesBy bySource(m_pairs, sourceOf);
    for (const Pair& pair : m_pairs)
        sorted[bySource.take(pair)] = pair;
    for (auto from = sorted.begin(); from != sorted.end();) {
        auto to = from + 1;
        while (to != sorted.end() && to->source == from->source)
            ++to;
        if (to - from > 1)
            std::sort(from, to);
        from = to;
    }
    m_pairs = std::move(sorted);
    PlacesBy byResult(m_pairs, resultOf);
    m_byResult.resize(m_pairs.size());
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
        m_byResult[byResult.take(m_pairs[i])] = static_cast<std::uint32_t>(i);
}

std::span<const IdentityMap::Pair> IdentityMap::resultsOf(NodeRef source) const
{
    const auto [from, to] = std::equal_range(m_pairs.begin(), m_pairs.end(), Pair{source, {}, false},
                                             [](const Pair& a, const Pair& b) { return a.source < b.source; });
    return {from, to};
}

std::vector<IdentityMap::Pair> IdentityMap::sourcesOf(NodeRef result) const
{
    const auto from = std::lower_bound(m_byResult.begin(), m_byResult.end(), result,
                                       [this](std::uint32_t at, NodeRef r) { return m_pairs[at].result < r; });
    std::vector<Pair> found;
    for (auto at = from; at != m_byResult.end() && m_pairs[*at].result == result; ++at)
        found.push_back(m_pairs[*at]);
    return found;
}

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
