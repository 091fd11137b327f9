#include "layout/layered/ordering_crossings.h"

#include <algorithm>

namespace sunder::layered {

std::uint64_t CrossingCounter::count(const Layering& layering, Index rank, bool byCost)
{
    if (layering.widthOf(rank) < 2 || layering.widthOf(rank + 1) < 2)
        return 0;
    const Index width = layering.widthOf(rank + 1);
    m_tree.assign(width + 1, 0);
    std::uint64_t crossings = 0;
    std::uint64_t seen = 0;
    for (Index i = layering.rankStart[rank]; i < layering.rankStart[rank + 1]; ++i) {
        const Index vertex = layering.order[i];
        m_lower.clear();
        for (Index k = layering.downStart[vertex]; k < layering.downStart[vertex + 1]; ++k) {
            const Segment& s = layering.segments[k];
            m_lower.push_back({layering.position[s.lower], byCost ? layering.crossingCost(s) : 1});
        }
        // A segment crosses those segments from vertices further left that end further right.
        for (const End& end : m_lower) {
            std::uint64_t notRight = 0;
            for (Index k = end.position + 1; k > 0; k &= k - 1)
                notRight += m_tree[k];
            crossings += (seen - notRight) * end.cost;
        }
        for (const End& end : m_lower) {
            for (Index k = end.position + 1; k <= width; k += k & (~k + 1))
                m_tree[k] += end.cost;
            seen += end.cost;
        }
    }
    return crossings;
}

std::uint64_t CrossingCounter::total(const Layering& layering)
{
    std::uint64_t crossings = 0;
    for (Index r = 0; r + 1 < layering.rankCount(); ++r)
        crossings += between(layering, r);
    return crossings;
}

} // namespace sunder::layered
