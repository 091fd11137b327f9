#include "analysis/tag_assignment.h"

#include <unordered_map>

namespace sunder {
namespace {

using TagIndices = std::unordered_map<InternedString, std::int32_t>;

TagIndices indexTags(const std::vector<InternedString>& order)
{
    TagIndices indices;
    indices.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        indices[order[i]] = static_cast<std::int32_t>(i);
    return indices;
}

} // namespace

TagAssignment assignTags(const Graph& graph, std::vector<InternedString> order, std::span<const TagPair> pairs)
{
    TagAssignment tags{.order = std::move(order), .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
    const TagIndices indices = indexTags(tags.order);
    const NodeIndex nodes(graph);
    std::unordered_map<NodeId, InternedString> strangers;
    for (const auto& [name, tag] : pairs) {
        const NodeId id = nodes.find(name);
        if (!id) {
            tags.unknownNodes.emplace_back(name, tag);
            continue;
        }
        const auto found = indices.find(tag);
        tags.tagOf[id.index()] = found != indices.end() ? found->second : TagAssignment::kUntagged;
        if (found == indices.end())
            strangers[id] = tag;
        else
            strangers.erase(id);
    }
    if (strangers.empty())
        return tags;
    for (const NodeId id : graph.nodes())
        if (const auto found = strangers.find(id); found != strangers.end())
            tags.unknownTags.emplace_back(id, found->second);
    return tags;
}

TagAssignment tagsOnNodes(const Program& program)
{
    const Graph& graph = program.rootGraph();
    TagAssignment tags{.order = program.tags ? program.tags->order : std::vector<InternedString>(),
                       .tagOf = std::vector<std::int32_t>(graph.idBound(), TagAssignment::kUntagged)};
    TagIndices indices = indexTags(tags.order);
    for (const NodeId id : graph.nodes()) {
        const InternedString tag = graph.node(id).tag;
        if (tag.empty())
            continue;
        const auto [at, isNew] = indices.emplace(tag, static_cast<std::int32_t>(tags.order.size()));
        if (isNew)
            tags.order.push_back(tag);
        tags.tagOf[id.index()] = at->second;
    }
    return tags;
}

TagAssignment initialTags(const Program& program)
{
    TagAssignment tags = tagsOnNodes(program);
    if (tags.order.empty())
        tags.order = {intern("stage0"), intern("stage1")};
    return tags;
}

void putTagsOnNodes(Program& program, const TagAssignment& tags)
{
    Graph& graph = program.rootGraph();
    for (const NodeId id : graph.order())
        graph.setTag(id,
                     tags[id] == TagAssignment::kUntagged ? InternedString() : tags.order[static_cast<std::size_t>(tags[id])]);
    if (!program.tags)
        program.tags.emplace();
    program.tags->order = tags.order;
}

std::vector<TagPair> tagPairs(const Graph& graph, const TagAssignment& tags)
{
    std::vector<TagPair> pairs;
    std::unordered_map<NodeId, InternedString> strangers(tags.unknownTags.begin(), tags.unknownTags.end());
    for (const NodeId id : graph.nodes()) {
        const InternedString name = graph.node(id).name;
        if (const std::int32_t tag = tags[id]; tag != TagAssignment::kUntagged)
            pairs.emplace_back(name, tags.order[static_cast<std::size_t>(tag)]);
        else if (const auto found = strangers.find(id); found != strangers.end())
            pairs.emplace_back(name, found->second);
    }
    pairs.insert(pairs.end(), tags.unknownNodes.begin(), tags.unknownNodes.end());
    return pairs;
}

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
