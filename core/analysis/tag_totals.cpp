#include "analysis/tag_totals.h"

namespace sunder {
namespace {

void add(const Snapshot& snapshot, NodeId id, MemorySum& memories, TagTotal& total)
{
    total.ops += snapshot.isCall(id) ? 1 : 0;
    total.bytes += memories.add(snapshot.reads.of(id));
}

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
    MemorySum memories(snapshot.memory.bytes);
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
        TagTotal& total = bucket == 0 ? totals.untagged : totals.tags[bucket - 1];
        memories.clear();
        for (std::uint32_t i = begin[bucket]; i < begin[bucket + 1]; ++i)
            add(snapshot, byTag[i], memories, total);
    }
    return totals;
}

TagTotal totalOf(const Snapshot& snapshot, std::span<const NodeId> nodes)
{
    TagTotal total;
    MemorySum memories(snapshot.memory.bytes);
    for (const NodeId id : nodes)
        add(snapshot, id, memories, total);
    return total;
}

} // namespace sunder
