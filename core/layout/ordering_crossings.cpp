#include "layout/ordering_crossings.h"

#include <algorithm>

namespace sunder::layered {

std::uint64_t CrossingCounter::between(const Layering& layering, Index rank)
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
        for (Index s = layering.downStart[vertex]; s < layering.downStart[vertex + 1]; ++s)
            m_lower.push_back(layering.position[layering.segments[s].lower]);
        // A segment crosses those seen before, from vertices further left, that end further right.
        for (const Index lower : m_lower) {
            std::uint64_t notRight = 0;
            for (Index k = lower + 1; k > 0; k &= k - 1)
                notRight += m_tree[k];
            crossings += seen - notRight;
        }
        for (const Index lower : m_lower) {
            for (Index k = lower + 1; k <= width; k += k & (~k + 1))
                ++m_tree[k];
        }
        seen += m_lower.size();
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
