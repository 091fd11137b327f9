// Merging of small partitions, corrected.
//
// The original recomputes all levels and sorts all partitions for each merge. Here each level keeps its partitions sorted by
// size, so that three lookups find a partner, and a merge only updates levels that change. Neighbors are resolved through a
// union-find forest: link lists are appended and never rewritten. They may list a neighbor several times, which only costs time.

#include "passes/partition/merge_partitions.h"

#include "support/disjoint_sets.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <queue>
#include <set>

namespace sunder {
namespace {

constexpr double kMaxRoom = 9e18; ///< exceeds all sizes, and still fits a 64-bit integer

class PartitionMerger {
public:
    PartitionMerger(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes)
        : m_links(std::move(links)), m_used(std::move(usedBytes)), m_level(partitionLevels(m_links)), m_mergedInto(m_used.size()),
          m_deviceBytes(deviceBytes)
    {
        std::iota(m_mergedInto.begin(), m_mergedInto.end(), 0U);
        for (std::uint32_t p = 0; p < m_used.size(); ++p) {
            m_bySize.insert(keyOf(p));
            levelSet(m_level[p]).insert(keyOf(p));
        }
    }

    /// Merges once. Returns false if the smallest partition has no partner.
    bool step()
    {
        const std::uint32_t smallest = m_bySize.begin()->second;
        const std::optional<std::uint32_t> partner = partnerOf(smallest);
        if (partner)
            join(*partner, smallest);
        return partner.has_value();
    }

    [[nodiscard]] std::size_t size() const { return m_bySize.size(); }

    MergedPartitions result(std::size_t partitions)
    {
        MergedPartitions merged;
        std::vector<std::uint32_t> groupOf(m_used.size(), 0);
        for (const auto& [used, partition] : m_bySize) {
            groupOf[partition] = static_cast<std::uint32_t>(merged.usedBytes.size());
            merged.usedBytes.push_back(used);
        }
        for (std::uint32_t p = 0; p < partitions; ++p)
            merged.groupOf.push_back(groupOf[find(p)]);
        return merged;
    }

private:
    /// Size, then closing order: a merged partition has the next index.
    using Key = std::pair<std::uint64_t, std::uint32_t>;

    [[nodiscard]] Key keyOf(std::uint32_t p) const { return {m_used[p], p}; }

    std::set<Key>& levelSet(std::uint32_t level)
    {
        if (m_ofLevel.size() <= level)
            m_ofLevel.resize(level + std::size_t{1});
        return m_ofLevel[level];
    }

    [[nodiscard]] std::optional<std::uint32_t> partnerOf(std::uint32_t smallest) const
    {
        const double room = std::min(m_deviceBytes - static_cast<double>(m_used[smallest]), kMaxRoom);
        if (room < 0)
            return std::nullopt;
        const Key bound(static_cast<std::uint64_t>(room), std::numeric_limits<std::uint32_t>::max());
        std::optional<Key> best;
        const std::uint32_t own = m_level[smallest];
        for (std::uint32_t level = own == 0 ? 0 : own - 1; level <= own + 1 && level < m_ofLevel.size(); ++level) {
            const std::set<Key>& keys = m_ofLevel[level];
            auto behind = keys.upper_bound(bound);
            if (behind != keys.begin() && std::prev(behind)->second == smallest)
                --behind;
            if (behind != keys.begin() && (!best || *std::prev(behind) > *best))
                best = *std::prev(behind);
        }
        return best ? std::optional(best->second) : std::nullopt;
    }

    std::uint32_t find(std::uint32_t p) { return rootOf(m_mergedInto, p); }

    void join(std::uint32_t partner, std::uint32_t smallest)
    {
        const auto joined = static_cast<std::uint32_t>(m_used.size());
        for (const std::uint32_t p : {partner, smallest}) {
            m_bySize.erase(keyOf(p));
            levelSet(m_level[p]).erase(keyOf(p));
            m_mergedInto[p] = joined;
        }
        m_used.push_back(m_used[partner] + m_used[smallest]);
        m_mergedInto.push_back(joined);
        m_links.parents.push_back(united(m_links.parents[partner], m_links.parents[smallest]));
        m_links.children.push_back(united(m_links.children[partner], m_links.children[smallest]));
        m_level.push_back(levelOf(joined));
        m_bySize.insert(keyOf(joined));
        levelSet(m_level[joined]).insert(keyOf(joined));
        propagateFrom(joined);
    }

    static std::vector<std::uint32_t> united(std::vector<std::uint32_t>& a, std::vector<std::uint32_t>& b)
    {
        std::vector<std::uint32_t> both = std::move(a.size() < b.size() ? b : a);
        const std::vector<std::uint32_t> rest = std::move(a.size() < b.size() ? a : b);
        both.insert(both.end(), rest.begin(), rest.end());
        return both;
    }

    std::uint32_t levelOf(std::uint32_t p)
    {
        std::uint32_t level = 0;
        for (std::uint32_t& parent : m_links.parents[p]) {
            parent = find(parent);
            if (parent != p)
                level = std::max(level, m_level[parent] + 1);
        }
        return level;
    }

    /// Updates the levels of a partition's descendants, lowest level first, so that most are visited once.
    void propagateFrom(std::uint32_t changed)
    {
        using Entry = std::pair<std::uint32_t, std::uint32_t>; // level, partition
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> todo;
        const auto addChildren = [&](std::uint32_t p) {
            for (std::uint32_t& child : m_links.children[p]) {
                child = find(child);
                if (child != p)
                    todo.emplace(m_level[child], child);
            }
        };
        addChildren(changed);
        while (!todo.empty()) {
            const std::uint32_t p = todo.top().second;
            todo.pop();
            const std::uint32_t level = levelOf(p);
            if (level == m_level[p])
                continue;
            levelSet(m_level[p]).erase(keyOf(p));
            m_level[p] = level;
            levelSet(level).insert(keyOf(p));
            addChildren(p);
        }
    }

    PartitionLinks m_links;
    std::vector<std::uint64_t> m_used;
    std::vector<std::uint32_t> m_level;
    std::vector<std::uint32_t> m_mergedInto;
    double m_deviceBytes;
    std::set<Key> m_bySize;
    std::vector<std::set<Key>> m_ofLevel;
};

} // namespace

Result<MergedPartitions> mergePartitions(PartitionLinks links, std::vector<std::uint64_t> usedBytes, double deviceBytes,
                                         ProgressMonitor& monitor)
{
    const std::size_t partitions = usedBytes.size();
    PartitionMerger merger(std::move(links), std::move(usedBytes), deviceBytes);
    while (merger.size() > 1 && merger.step())
        SUNDER_PROPAGATE(monitor.check());
    return merger.result(partitions);
}

} // namespace sunder
