#include "layout/layered/ordering_sweeps.h"

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

namespace {

constexpr int kExchangePasses = 6;
constexpr Index kWidestSift = 80;
constexpr Index kLargestExchange = 64; ///< vertices with more neighbors are not exchanged, only swept

} // namespace

Sweeper::Sweeper(Layering& layering, std::uint64_t budget)
    : m_layering(layering), m_endsOf(layering.vertexCount()), m_budget(budget), m_dirty(layering.rankCount(), true)
{
}

Result<void> Sweeper::sweep(bool down, bool reverseEquals, ProgressMonitor& monitor)
{
    const Index count = m_layering.rankCount();
    for (Index i = 1; i < count; ++i) {
        if (i % 256 == 0)
            SUNDER_PROPAGATE(monitor.check());
        sortRank(down ? i : count - 1 - i, down, reverseEquals);
    }
    return monitor.check();
}

void Sweeper::sortRank(Index rank, bool byUpper, bool reverseEquals)
{
    const Index start = m_layering.rankStart[rank];
    const Index width = m_layering.widthOf(rank);
    if (width < 2)
        return;
    m_keys.clear();
    m_places.clear();
    for (Index i = 0; i < width; ++i) {
        const Index vertex = m_layering.order[start + i];
        const Index first = byUpper ? m_layering.upStart[vertex] : m_layering.downStart[vertex];
        const Index last = byUpper ? m_layering.upStart[vertex + 1] : m_layering.downStart[vertex + 1];
        if (first == last)
            continue;
        double sum = 0;
        for (Index k = first; k < last; ++k) {
            const Segment& s = m_layering.segments[byUpper ? m_layering.upSegments[k] : k];
            sum += m_layering.position[byUpper ? s.upper : s.lower];
        }
        m_keys.push_back({sum / (last - first), vertex});
        m_places.push_back(i);
    }
    if (reverseEquals)
        std::reverse(m_keys.begin(), m_keys.end());
    std::stable_sort(m_keys.begin(), m_keys.end(), [](const Key& a, const Key& b) { return a.barycenter < b.barycenter; });
    for (std::size_t k = 0; k < m_keys.size(); ++k) {
        Index& slot = m_layering.order[start + m_places[k]];
        if (slot != m_keys[k].vertex)
            markDirty(rank);
        slot = m_keys[k].vertex;
        m_layering.position[m_keys[k].vertex] = m_places[k];
    }
}

void Sweeper::markDirty(Index rank)
{
    m_dirty[rank] = true;
    if (rank > 0)
        m_dirty[rank - 1] = true;
    if (rank + 1 < m_layering.rankCount())
        m_dirty[rank + 1] = true;
}

/// Sorts the segment ends of every vertex of a rank. They stay valid while only this rank changes.
void Sweeper::gatherRank(Index rank)
{
    m_ends.clear();
    for (Index i = m_layering.rankStart[rank]; i < m_layering.rankStart[rank + 1]; ++i) {
        const Index vertex = m_layering.order[i];
        EndsOf& of = m_endsOf[vertex];
        of.begin = static_cast<Index>(m_ends.size());
        of.middle = gather(vertex, true);
        of.end = gather(vertex, false);
    }
}

Index Sweeper::gather(Index vertex, bool upper)
{
    const Index first = upper ? m_layering.upStart[vertex] : m_layering.downStart[vertex];
    const Index last = upper ? m_layering.upStart[vertex + 1] : m_layering.downStart[vertex + 1];
    const auto begin = static_cast<std::ptrdiff_t>(m_ends.size());
    for (Index k = first; k < last && last - first <= kLargestExchange; ++k) {
        const Segment& s = m_layering.segments[upper ? m_layering.upSegments[k] : k];
        m_ends.push_back({m_layering.position[upper ? s.upper : s.lower], m_layering.crossingCost(s)});
    }
    std::sort(m_ends.begin() + begin, m_ends.end(), [](const End& x, const End& y) { return x.position < y.position; });
    return static_cast<Index>(m_ends.size());
}

/// Cost of the crossings from ends of `left` that are to the right of ends of `right`. Both are sorted.
std::int64_t Sweeper::inversions(Ends left, Ends right)
{
    if (left.back().position <= right.front().position)
        return 0;
    std::int64_t cost = 0;
    std::int64_t passed = 0;
    std::size_t next = 0;
    for (const End& a : left) {
        while (next < right.size() && right[next].position < a.position)
            passed += right[next++].cost;
        cost += passed * a.cost;
    }
    return cost;
}

std::int64_t Sweeper::savedByExchange(Index left, Index right)
{
    ++m_work;
    const EndsOf& l = m_endsOf[left];
    const EndsOf& r = m_endsOf[right];
    const auto saved = [this](Index leftBegin, Index leftEnd, Index rightBegin, Index rightEnd) -> std::int64_t {
        if (leftBegin == leftEnd || rightBegin == rightEnd)
            return 0;
        const Ends here(m_ends.data() + leftBegin, m_ends.data() + leftEnd);
        const Ends there(m_ends.data() + rightBegin, m_ends.data() + rightEnd);
        return inversions(here, there) - inversions(there, here);
    };
    return saved(l.begin, l.middle, r.begin, r.middle) + saved(l.middle, l.end, r.middle, r.end);
}

bool Sweeper::exchangeRank(Index rank)
{
    bool changed = false;
    const Index start = m_layering.rankStart[rank];
    gatherRank(rank);
    for (Index i = 0; i + 1 < m_layering.widthOf(rank); ++i) {
        Index& left = m_layering.order[start + i];
        Index& right = m_layering.order[start + i + 1];
        if (savedByExchange(left, right) <= 0)
            continue;
        std::swap(left, right);
        m_layering.position[left] = i;
        m_layering.position[right] = i + 1;
        changed = true;
    }
    return changed;
}

bool Sweeper::siftVertex(Index rank, Index vertex)
{
    const auto first = m_layering.order.begin() + m_layering.rankStart[rank];
    const Index width = m_layering.widthOf(rank);
    const Index start = m_layering.position[vertex];
    std::int64_t best = 0;
    Index target = start;
    std::int64_t saved = 0;
    for (Index i = start + 1; i < width; ++i) {
        saved += savedByExchange(vertex, first[i]);
        if (saved > best) {
            best = saved;
            target = i;
        }
    }
    saved = 0;
    for (Index i = start; i-- > 0;) {
        saved += savedByExchange(first[i], vertex);
        if (saved > best) {
            best = saved;
            target = i;
        }
    }
    if (target == start)
        return false;
    if (target > start)
        std::rotate(first + start, first + start + 1, first + target + 1);
    else
        std::rotate(first + target, first + start, first + start + 1);
    for (Index i = std::min(start, target); i <= std::max(start, target); ++i)
        m_layering.position[first[i]] = i;
    return true;
}

bool Sweeper::siftRank(Index rank)
{
    const Index width = m_layering.widthOf(rank);
    if (width < 2 || width > kWidestSift || isTired())
        return false;
    bool changed = false;
    const auto first = m_layering.order.begin() + m_layering.rankStart[rank];
    m_sifted.assign(first, first + width);
    gatherRank(rank);
    for (const Index vertex : m_sifted)
        changed = (!isTired() && siftVertex(rank, vertex)) || changed;
    return changed;
}

template <typename ImproveRank>
Result<void> Sweeper::improveDirtyRanks(int passes, ProgressMonitor& monitor, ImproveRank improveRank)
{
    for (int pass = 0; pass < passes; ++pass) {
        bool changed = false;
        for (Index r = 0; r < m_layering.rankCount(); ++r) {
            if (r % 256 == 0)
                SUNDER_PROPAGATE(monitor.check());
            if (!m_dirty[r] || isTired())
                continue;
            m_dirty[r] = false;
            if (improveRank(r)) {
                changed = true;
                markDirty(r);
            }
        }
        if (!changed)
            break;
    }
    return {};
}

Result<void> Sweeper::exchange(ProgressMonitor& monitor)
{
    return improveDirtyRanks(kExchangePasses, monitor, [this](Index rank) { return exchangeRank(rank); });
}

Result<void> Sweeper::sift(ProgressMonitor& monitor)
{
    std::fill(m_dirty.begin(), m_dirty.end(), true);
    return improveDirtyRanks(kExchangePasses, monitor, [this](Index rank) { return siftRank(rank); });
}

} // namespace sunder::layered
