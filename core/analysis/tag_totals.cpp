#include "analysis/tag_totals.h"

namespace sunder {
namespace {

/// Totals the nodes of one tag at a time; a memory counts once between two calls of restart().
class Summing {
public:
    explicit Summing(const Snapshot& snapshot) : m_snapshot(snapshot), m_seen(snapshot.memory.bytes.size(), 0) {}
    void restart() { ++m_round; }
    void add(NodeId id, TagTotal& total)
    {
        if (m_snapshot.isCall(id))
            ++total.ops;
        for (const std::uint32_t memory : m_snapshot.reads.of(id)) {
            if (m_seen[memory] == m_round)
                continue;
            m_seen[memory] = m_round;
            total.bytes += m_snapshot.memory.bytes[memory];
        }
    }

private:
    const Snapshot& m_snapshot;
    std::vector<std::uint32_t> m_seen;
    std::uint32_t m_round = 1;
};

} // namespace

TagTotals tagTotals(const Snapshot& snapshot, const TagAssignment& tags)
{
    const Graph& graph = snapshot.graph();
    const std::size_t buckets = tags.order.size() + 1; // the first bucket holds untagged calls
    std::vector<std::uint32_t> begin(buckets + 1, 0);
    for (const NodeId id : graph.nodes())
        if (snapshot.isCall(id))
            ++begin[static_cast<std::size_t>(tags[id] + 1) + 1];
    for (std::size_t i = 1; i <= buckets; ++i)
        begin[i] += begin[i - 1];
    std::vector<NodeId> byTag(begin[buckets]);
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (const NodeId id : graph.nodes())
        if (snapshot.isCall(id))
            byTag[next[static_cast<std::size_t>(tags[id] + 1)]++] = id;

    TagTotals totals;
    totals.tags.resize(tags.order.size());
    Summing sum(snapshot);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        TagTotal& total = bucket == 0 ? totals.untagged : totals.tags[bucket - 1];
        sum.restart();
        for (std::uint32_t i = begin[bucket]; i < begin[bucket + 1]; ++i)
            sum.add(byTag[i], total);
    }
    return totals;
}

TagTotal totalOf(const Snapshot& snapshot, std::span<const NodeId> nodes)
{
    TagTotal total;
    Summing sum(snapshot);
    for (const NodeId id : nodes)
        sum.add(id, total);
    return total;
}

} // namespace sunder
