// Merging of small partitions as in 2020, including its stale links.
//
// Both directions of links are stored and patched at each merge. A child of the smaller partition keeps it as a parent. That
// stale parent still prevents the child from being a root. When the child itself is merged, the stale parent is not updated and
// keeps pointing to it. Levels are computed by a walk over these links, stale ones included. A partition that the walk does not
// reach keeps its level.

#include "passes/partition/merge_partitions.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

namespace sunder {
namespace {

using Neighbors = std::set<std::uint32_t>;

std::vector<Neighbors> asSets(const std::vector<std::vector<std::uint32_t>>& lists)
{
    std::vector<Neighbors> sets;
    for (const std::vector<std::uint32_t>& list : lists)
        sets.emplace_back(list.begin(), list.end());
    return sets;
}

Neighbors united(const Neighbors& a, const Neighbors& b, std::uint32_t without, std::uint32_t andWithout)
{
    Neighbors both = a;
    both.insert(b.begin(), b.end());
    both.erase(without);
    both.erase(andWithout);
    return both;
}

class StaleMerger {
public:
    StaleMerger(const PartitionLinks& links, std::vector<std::uint64_t> usedBytes, double deviceBytes)
        : m_up(asSets(links.parents)), m_down(asSets(links.children)), m_used(std::move(usedBytes)), m_level(m_used.size(), -1),
          m_alive(m_used.size()), m_mergedInto(m_used.size()), m_deviceBytes(deviceBytes)
    {
        std::iota(m_alive.begin(), m_alive.end(), 0U);
        std::iota(m_mergedInto.begin(), m_mergedInto.end(), 0U);
    }

    /// Merges once. Returns false if the smallest has no partner; nothing if the original's walk would not terminate.
    std::optional<bool> step()
    {
        if (!walkLevels())
            return std::nullopt;
        std::vector<std::uint32_t> bySize = m_alive;
        std::stable_sort(bySize.begin(), bySize.end(), [this](auto a, auto b) { return m_used[a] < m_used[b]; });
        const std::uint32_t smallest = bySize.front();
        const double room = m_deviceBytes - static_cast<double>(m_used[smallest]);
        for (std::size_t i = bySize.size(); i-- > 1;) {
            const std::uint32_t p = bySize[i];
            if (static_cast<double>(m_used[p]) <= room && std::abs(m_level[p] - m_level[smallest]) <= 1) {
                join(p, smallest);
                return true;
            }
        }
        return false;
    }

    [[nodiscard]] MergedPartitions result(std::size_t partitions) const
    {
        MergedPartitions merged;
        std::vector<std::uint32_t> groupOf(m_used.size(), 0);
        for (const std::uint32_t p : m_alive) {
            groupOf[p] = static_cast<std::uint32_t>(merged.usedBytes.size());
            merged.usedBytes.push_back(m_used[p]);
        }
        for (std::uint32_t p = 0; p < partitions; ++p) {
            std::uint32_t at = p;
            while (m_mergedInto[at] != at)
                at = m_mergedInto[at];
            merged.groupOf.push_back(groupOf[at]);
        }
        return merged;
    }

private:
    /// Computes the longest walk to each partition from those without parents. Returns false if it meets a cycle.
    bool walkLevels()
    {
        std::vector<std::uint32_t> reached;
        std::vector<char> isReached(m_down.size(), 0);
        for (const std::uint32_t p : m_alive)
            if (m_up[p].empty()) {
                reached.push_back(p);
                isReached[p] = 1;
            }
        std::vector<std::uint32_t> waiting(m_down.size(), 0);
        std::vector<std::uint32_t> ready = reached;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const std::uint32_t q : m_down[reached[i]]) {
                ++waiting[q];
                if (std::exchange(isReached[q], char{1}) == 0)
                    reached.push_back(q);
            }
        std::erase_if(ready, [&](std::uint32_t p) { return waiting[p] != 0; });
        for (const std::uint32_t p : reached)
            m_level[p] = 0;
        std::size_t done = 0;
        for (; !ready.empty(); ++done) {
            const std::uint32_t p = ready.back();
            ready.pop_back();
            for (const std::uint32_t q : m_down[p]) {
                m_level[q] = std::max(m_level[q], m_level[p] + 1);
                if (--waiting[q] == 0)
                    ready.push_back(q);
            }
        }
        return done == reached.size();
    }

    void join(std::uint32_t partner, std::uint32_t smallest)
    {
        const auto joined = static_cast<std::uint32_t>(m_used.size());
        m_used.push_back(m_used[partner] + m_used[smallest]);
        m_up.push_back(united(m_up[partner], m_up[smallest], partner, smallest));
        m_down.push_back(united(m_down[partner], m_down[smallest], partner, smallest));
        m_level.push_back(std::max(m_level[partner], m_level[smallest]));
        m_mergedInto.push_back(joined);
        m_mergedInto[partner] = m_mergedInto[smallest] = joined;
        std::erase_if(m_alive, [&](std::uint32_t p) { return p == partner || p == smallest; });
        m_alive.push_back(joined);
        for (const std::uint32_t p : m_up[joined])
            if (m_down[p].erase(partner) + m_down[p].erase(smallest) > 0)
                m_down[p].insert(joined);
        for (const std::uint32_t p : m_down[joined]) // the bug: `smallest` remains a parent
            if (m_up[p].erase(partner) > 0)
                m_up[p].insert(joined);
    }

    std::vector<Neighbors> m_up;
    std::vector<Neighbors> m_down;
    std::vector<std::uint64_t> m_used;
    std::vector<std::int64_t> m_level;
    std::vector<std::uint32_t> m_alive; ///< in closing order
    std::vector<std::uint32_t> m_mergedInto;
    double m_deviceBytes;
};

} // namespace

Result<MergedPartitions> mergePartitionsAs2020(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                               ProgressMonitor& monitor)
{
    const std::size_t partitions = usedBytes.size();
    StaleMerger merger(links, std::move(usedBytes), deviceBytes);
    for (;;) {
        SUNDER_PROPAGATE(monitor.check());
        const std::optional<bool> joined = merger.step();
        if (!joined)
            return fail(ErrorCode::refused,
                        "the 2020 partitioner does not terminate on this graph, because its partitions depend "
                        "on each other in a cycle; leave out --exact-2020");
        if (!*joined)
            break;
    }
    return merger.result(partitions);
}

} // namespace sunder
