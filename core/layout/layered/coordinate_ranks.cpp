#include "layout/layered/coordinate_ranks.h"

#include <algorithm>
#include <cmath>

namespace sunder::layered {

namespace {

constexpr double kFixed = 1e9;
constexpr double kInertia = 1e-3; ///< weight of the current position
constexpr std::uint64_t kSegmentsPlaced = 4'000'000; ///< total over all sweeps
constexpr std::uint64_t kMinSweeps = 6;
constexpr std::uint64_t kMaxSweeps = 60;
constexpr double kFirstBlur = 2'000; ///< shorter lengths count squared; decreases with each sweep …
constexpr double kLastBlur = 4;      ///< … down to this value

/// Places vertices in sweeps over the ranks.
class RankPlacer {
public:
    RankPlacer(const Layering& layering, std::span<const Extents> extents, const std::vector<bool>& fixed)
        : m_layering(layering), m_extents(extents), m_fixed(fixed), m_x(layering.vertexCount(), 0)
    {
        for (Index r = 0; r < layering.rankCount(); ++r)
            pack(r);
    }

    /// One pass over all ranks. False when cancelled.
    bool sweep(bool down, bool bothSides, double blur, ProgressMonitor& monitor)
    {
        const Index count = m_layering.rankCount();
        for (Index i = 0; i < count; ++i) {
            if (i % 256 == 0 && monitor.isCancelled())
                return false;
            placeRank(down ? i : count - 1 - i, down || bothSides, !down || bothSides, blur);
        }
        return true;
    }

    std::vector<double> take() { return std::move(m_x); }

private:
    struct Pool {
        double sum = 0;
        double weight = 0;
        Index count = 0;
    };

    void pack(Index rank)
    {
        const Index start = m_layering.rankStart[rank];
        const Index end = m_layering.rankStart[rank + 1];
        double x = 0;
        double zero = 0;
        bool isFixed = false;
        for (Index i = start; i < end; ++i) {
            const Index v = m_layering.order[i];
            x += m_extents[v].left;
            m_x[v] = x;
            if (m_fixed[v]) {
                zero = x;
                isFixed = true;
            }
            x += m_extents[v].right;
        }
        for (Index i = start; i < end; ++i)
            m_x[m_layering.order[i]] -= isFixed ? zero : x / 2;
    }

    void placeRank(Index rank, bool byUpper, bool byLower, double blur)
    {
        m_pools.clear();
        const Index start = m_layering.rankStart[rank];
        const Index end = m_layering.rankStart[rank + 1];
        double offset = 0;
        m_offsets.clear();
        for (Index i = start; i < end; ++i) {
            const Index v = m_layering.order[i];
            offset += m_extents[v].left;
            m_offsets.push_back(offset);
            addPool(wishOf(v, byUpper, byLower, blur), offset);
            offset += m_extents[v].right;
        }
        Index i = start;
        for (const Pool& pool : m_pools) {
            for (Index k = 0; k < pool.count; ++k, ++i)
                m_x[m_layering.order[i]] = pool.sum / pool.weight + m_offsets[i - start];
        }
    }

    void addPool(Pool pool, double offset)
    {
        pool.sum -= pool.weight * offset;
        while (!m_pools.empty() && m_pools.back().sum * pool.weight > pool.sum * m_pools.back().weight) {
            pool.sum += m_pools.back().sum;
            pool.weight += m_pools.back().weight;
            pool.count += m_pools.back().count;
            m_pools.pop_back();
        }
        m_pools.push_back(pool);
    }

    [[nodiscard]] Pool wishOf(Index v, bool byUpper, bool byLower, double blur) const
    {
        Pool pool{m_fixed[v] ? 0 : kInertia * m_x[v] / blur, m_fixed[v] ? kFixed : kInertia / blur, 1};
        if (m_fixed[v])
            return pool;
        const auto add = [&](const Segment& s, Index other) {
            const double weight = double{s.weight} * m_layering.crossingCost(s) / std::hypot(m_x[v] - m_x[other], blur);
            pool.sum += weight * m_x[other];
            pool.weight += weight;
        };
        for (Index i = m_layering.upStart[v]; byUpper && i < m_layering.upStart[v + 1]; ++i) {
            const Segment& s = m_layering.segments[m_layering.upSegments[i]];
            add(s, s.upper);
        }
        for (Index i = m_layering.downStart[v]; byLower && i < m_layering.downStart[v + 1]; ++i)
            add(m_layering.segments[i], m_layering.segments[i].lower);
        return pool;
    }

    const Layering& m_layering;
    std::span<const Extents> m_extents;
    const std::vector<bool>& m_fixed;
    std::vector<double> m_x;
    std::vector<double> m_offsets;
    std::vector<Pool> m_pools;
};

} // namespace

std::vector<double> placeRankByRank(const Layering& layering, std::span<const Extents> extents, const std::vector<bool>& fixed,
                                    ProgressMonitor& monitor)
{
    RankPlacer placer(layering, extents, fixed);
    const std::uint64_t sweeps = std::clamp(kSegmentsPlaced / (layering.segments.size() + 1), kMinSweeps, kMaxSweeps) / 2 * 2;
    for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) {
        const double share = static_cast<double>(sweep) / static_cast<double>(sweeps - 1);
        const double blur = kFirstBlur * std::pow(kLastBlur / kFirstBlur, share);
        if (!placer.sweep(sweep % 2 == 0, sweep >= 2, blur, monitor))
            return {};
    }
    return placer.take();
}

} // namespace sunder::layered
