#include "ir/identity_map.h"

#include <algorithm>
#include <numeric>

namespace sunder {

void IdentityMap::finish()
{
    std::sort(m_pairs.begin(), m_pairs.end());
    m_byResult.resize(m_pairs.size());
    std::iota(m_byResult.begin(), m_byResult.end(), 0U);
    std::stable_sort(m_byResult.begin(), m_byResult.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return m_pairs[a].result < m_pairs[b].result; });
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
