#include "layout/layered/ordering_program.h"

#include "layout/layered/ordering_sweeps.h"

#include <algorithm>
#include <array>

namespace sunder::layered {

namespace {

constexpr int kBranchPasses = 8;
constexpr std::size_t kLargestBranch = 96; ///< maximum number of vertices
constexpr int kMeetings = 6; ///< maximum number of rounds that find new common vertices

/// True if the mirror image has more lanes to the left of boxes or, in case of a tie, more neighbors in execution order.
bool isBetterMirrored(const Layering& layering)
{
    std::int64_t lanes = 0;
    std::int64_t inverted = 0;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        std::int64_t lanesBefore = 0;
        std::int64_t boxesBefore = 0;
        Index last = kNone;
        for (Index i = layering.rankStart[r]; i < layering.rankStart[r + 1]; ++i) {
            const Index v = layering.order[i];
            if (layering.isDummy(v)) {
                lanes += boxesBefore;
                ++lanesBefore;
                continue;
            }
            lanes -= lanesBefore;
            ++boxesBefore;
            if (last != kNone)
                inverted += last > v ? 1 : -1;
            last = v;
        }
    }
    return lanes != 0 ? lanes > 0 : inverted > 0;
}

void mirrorRanks(Layering& layering)
{
    for (Index r = 0; r < layering.rankCount(); ++r)
        std::reverse(layering.order.begin() + layering.rankStart[r], layering.order.begin() + layering.rankStart[r + 1]);
    indexPositions(layering);
}

/// Exchanges neighboring branches. A branch is everything connected to a vertex, up to the vertices that it has in common with
/// the neighbor's branch.
class BranchExchange {
public:
    BranchExchange(Layering& layering, std::uint64_t budget)
        : m_layering(layering), m_budget(budget), m_owner(layering.vertexCount(), kUnowned)
    {
    }

    /// Returns whether anything was exchanged. Fails only when canceled.
    Result<bool> pass(ProgressMonitor& monitor)
    {
        bool changed = false;
        for (Index r = 0; r < m_layering.rankCount() && m_budget > 0; ++r) {
            SUNDER_PROPAGATE(monitor.check());
            for (Index i = m_layering.rankStart[r]; i + 1 < m_layering.rankStart[r + 1]; ++i)
                changed = put(i) || changed;
        }
        return changed;
    }

private:
    using Owner = std::uint8_t;
    static constexpr Owner kUnowned = 2; ///< 0 and 1 are the two branches
    static constexpr Owner kBoth = 3;   ///< a common vertex, which belongs to neither branch

    /// Tries to exchange the box at `place` with the lane directly to its right, else with the next box if that is out of order.
    bool put(Index place)
    {
        const Index left = m_layering.order[place];
        if (m_layering.isDummy(left))
            return false;
        const Index end = m_layering.rankStart[m_layering.rankOf[left] + 1];
        if (m_layering.isDummy(m_layering.order[place + 1]) && tryToExchange(left, m_layering.order[place + 1]))
            return true;
        Index next = place + 1;
        while (next < end && m_layering.isDummy(m_layering.order[next]))
            ++next;
        return next < end && m_layering.order[next] < left && tryToExchange(left, m_layering.order[next]);
    }

    bool tryToExchange(Index left, Index right)
    {
        const bool isBetter = m_budget > 0 && findBranches(left, right) && isWorthIt() && exchange();
        forget();
        return isBetter;
    }

    /// True if the exchange puts more boxes in order than out of order or, in case of a tie, moves more lanes to the left of
    /// boxes.
    [[nodiscard]] bool isWorthIt() const
    {
        std::int64_t boxes = 0;
        std::int64_t lanes = 0;
        for (const Index a : m_branch[0]) {
            for (const Index b : m_branch[1]) {
                if (m_layering.rankOf[a] != m_layering.rankOf[b] || m_owner[a] != 0 || m_owner[b] != 1)
                    continue;
                if (!m_layering.isDummy(a) && !m_layering.isDummy(b))
                    boxes += a > b ? 1 : -1;
                lanes += (m_layering.isDummy(b) ? 1 : 0) - (m_layering.isDummy(a) ? 1 : 0);
            }
        }
        return boxes != 0 ? boxes > 0 : lanes > 0;
    }

    bool findBranches(Index left, Index right)
    {
        for (int round = 0; round < kMeetings; ++round) {
            const std::size_t meetings = m_meetings.size();
            for (const Owner side : {Owner{0}, Owner{1}}) {
                for (const Index v : m_branch[side])
                    m_owner[v] = kUnowned;
                m_branch[side].clear();
            }
            for (const Index v : m_meetings)
                m_owner[v] = kBoth;
            if (!grow(left, right))
                return false;
            if (m_meetings.size() == meetings)
                return true;
        }
        return false;
    }

    /// Grows both branches step by step, so that they meet in the middle. False if a branch becomes too large, or if the two
    /// vertices cannot be separated into branches.
    bool grow(Index left, Index right)
    {
        m_branch[0] = {left};
        m_branch[1] = {right};
        m_owner[left] = 0;
        m_owner[right] = 1;
        std::array<std::size_t, 2> done{0, 0};
        while (done[0] < m_branch[0].size() || done[1] < m_branch[1].size()) {
            for (const Owner side : {Owner{0}, Owner{1}}) {
                const std::size_t end = m_branch[side].size();
                for (; done[side] < end; ++done[side])
                    reachFrom(m_branch[side][done[side]], side);
                if (m_branch[side].size() > kLargestBranch)
                    return false;
            }
        }
        return m_owner[left] == 0 && m_owner[right] == 1;
    }

    void reachFrom(Index v, Owner side)
    {
        if (m_owner[v] != side)
            return;
        spend(m_layering.downStart[v + 1] - m_layering.downStart[v] + m_layering.upStart[v + 1] - m_layering.upStart[v]);
        for (Index k = m_layering.downStart[v]; k < m_layering.downStart[v + 1]; ++k)
            reach(m_layering.segments[k].lower, side);
        for (Index k = m_layering.upStart[v]; k < m_layering.upStart[v + 1]; ++k)
            reach(m_layering.segments[m_layering.upSegments[k]].upper, side);
    }

    void reach(Index v, Owner side)
    {
        if (m_owner[v] == side || m_owner[v] == kBoth)
            return;
        if (m_owner[v] == kUnowned) {
            m_owner[v] = side;
            m_branch[side].push_back(v);
            return;
        }
        m_owner[v] = kBoth;
        m_meetings.push_back(v);
    }

    void forget()
    {
        for (const auto& branch : m_branch) {
            for (const Index v : branch)
                m_owner[v] = kUnowned;
        }
        for (const Index v : m_meetings)
            m_owner[v] = kUnowned;
        m_branch[0].clear();
        m_branch[1].clear();
        m_meetings.clear();
    }

    /// Swaps the branches in every rank: their positions go to the right branch first. Undone if the number or cost of crossings
    /// increases.
    bool exchange()
    {
        Index first = m_layering.rankCount();
        Index last = 0;
        for (const auto& branch : m_branch) {
            for (const Index v : branch) {
                first = std::min(first, m_layering.rankOf[v]);
                last = std::max(last, m_layering.rankOf[v]);
            }
        }
        const Index from = first > 0 ? first - 1 : 0;
        const Crossings before = crossings(from, last);
        m_former.assign(m_layering.order.begin() + m_layering.rankStart[first],
                        m_layering.order.begin() + m_layering.rankStart[last + 1]);
        for (Index r = first; r <= last; ++r)
            exchangeIn(r);
        index(first, last);
        const Crossings after = crossings(from, last);
        if (after.cost <= before.cost && after.number <= before.number)
            return true;
        std::copy(m_former.begin(), m_former.end(), m_layering.order.begin() + m_layering.rankStart[first]);
        index(first, last);
        return false;
    }

    void exchangeIn(Index rank)
    {
        const auto begin = m_layering.order.begin() + m_layering.rankStart[rank];
        const auto end = m_layering.order.begin() + m_layering.rankStart[rank + 1];
        m_moved.clear();
        for (const Owner side : {Owner{1}, Owner{0}})
            std::copy_if(begin, end, std::back_inserter(m_moved), [&](Index v) { return m_owner[v] == side; });
        auto next = m_moved.begin();
        for (auto at = begin; at != end; ++at) {
            if (m_owner[*at] == 0 || m_owner[*at] == 1)
                *at = *next++;
        }
    }

    void index(Index first, Index last)
    {
        for (Index r = first; r <= last; ++r) {
            for (Index i = m_layering.rankStart[r]; i < m_layering.rankStart[r + 1]; ++i)
                m_layering.position[m_layering.order[i]] = i - m_layering.rankStart[r];
        }
    }

    struct Crossings {
        std::uint64_t cost = 0;
        std::uint64_t number = 0;
    };

    Crossings crossings(Index first, Index last)
    {
        Crossings sum;
        for (Index r = first; r <= last && r + 1 < m_layering.rankCount(); ++r) {
            sum.cost += m_counter.between(m_layering, r);
            sum.number += m_counter.numberBetween(m_layering, r);
            spend(m_layering.widthOf(r) + m_layering.widthOf(r + 1));
        }
        return sum;
    }

    void spend(std::uint64_t vertices) { m_budget -= std::min(m_budget, vertices); }

    Layering& m_layering;
    std::uint64_t m_budget;
    CrossingCounter m_counter;
    std::vector<Owner> m_owner; ///< per vertex
    std::array<std::vector<Index>, 2> m_branch;
    std::vector<Index> m_meetings;
    std::vector<Index> m_former;
    std::vector<Index> m_moved;
};

} // namespace

Result<void> preferProgramOrder(Layering& layering, std::uint64_t budget, ProgressMonitor& monitor)
{
    if (isBetterMirrored(layering))
        mirrorRanks(layering);
    BranchExchange exchange(layering, budget);
    for (int pass = 0; pass < kBranchPasses; ++pass) {
        SUNDER_TRY(const bool isChanged, exchange.pass(monitor));
        if (!isChanged)
            break;
    }
    return {};
}

} // namespace sunder::layered
