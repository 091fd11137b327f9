#include "ir/identity_map.h"

#include <algorithm>
#include <numeric>

namespace sunder {

namespace {

/// Indices of pairs by a node of each, those of one node in their old order. Counting: nodes are dense numbers.
template <typename NodeOf>
std::vector<std::uint32_t> orderBy(const std::vector<IdentityMap::Pair>& pairs, const NodeOf& nodeOf)
{
    std::vector<std::size_t> firstOfGraph(1, 0);
    for (const IdentityMap::Pair& pair : pairs) {
        const NodeRef node = nodeOf(pair);
        if (firstOfGraph.size() < node.graph.index() + 2)
            firstOfGraph.resize(node.graph.index() + std::size_t{2}, 0);
        std::size_t& bound = firstOfGraph[node.graph.index() + 1];
        bound = std::max<std::size_t>(bound, node.node.index() + std::size_t{1});
    }
    std::partial_sum(firstOfGraph.begin(), firstOfGraph.end(), firstOfGraph.begin());
    const auto keyOf = [&](const IdentityMap::Pair& pair) {
        const NodeRef node = nodeOf(pair);
        return firstOfGraph[node.graph.index()] + node.node.index();
    };
    std::vector<std::uint32_t> next(firstOfGraph.back() + 1, 0);
    for (const IdentityMap::Pair& pair : pairs)
        ++next[keyOf(pair) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<std::uint32_t> order(pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
        order[next[keyOf(pairs[i])]++] = static_cast<std::uint32_t>(i);
    return order;
}

} // namespace

void IdentityMap::finish()
{
    const std::vector<std::uint32_t> bySource = orderBy(m_pairs, [](const Pair& pair) { return pair.source; });
    std::vector<Pair> sorted;
    sorted.reserve(m_pairs.size());
    for (const std::uint32_t at : bySource)
        sorted.push_back(m_pairs[at]);
    for (auto from = sorted.begin(); from != sorted.end();) {
        auto to = from;
        while (to != sorted.end() && to->source == from->source)
            ++to;
        std::sort(from, to);
        from = to;
    }
    m_pairs = std::move(sorted);
    m_byResult = orderBy(m_pairs, [](const Pair& pair) { return pair.result; });
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

} // namespace sunder
