#include "tagging/tag_repairs.h"

#include <algorithm>
#include <unordered_set>

namespace sunder {
namespace {

/// Returns `from` and the calls reachable from it through wanted neighbors, starting with `from`.
template <typename Neighbors, typename Wanted>
std::vector<std::uint32_t> reach(const std::vector<std::uint32_t>& from, const Neighbors& forEachNeighbor, const Wanted& wanted)
{
    std::vector<std::uint32_t> found = from;
    std::unordered_set<std::uint32_t> seen(from.begin(), from.end());
    for (std::size_t at = 0; at < found.size(); ++at)
        forEachNeighbor(found[at], [&](std::uint32_t next) {
            if (wanted(next) && seen.insert(next).second)
                found.push_back(next);
        });
    return found;
}

std::vector<NodeId> nodesOf(const LegalityTables& tables, const std::vector<std::uint32_t>& calls)
{
    std::vector<NodeId> nodes;
    for (const std::uint32_t call : calls)
        nodes.push_back(tables.nodes[call]);
    return nodes;
}

template <typename Visit>
void forEachReader(const LegalityTables& tables, std::uint32_t call, const Visit& visit)
{
    for (const std::uint32_t edge : tables.usesOf[call])
        visit(tables.edges[edge].to);
}

template <typename Visit>
void forEachEarlier(const LegalityTables& tables, std::uint32_t call, const Visit& visit)
{
    for (std::uint32_t edge = tables.edgesOf[call]; edge < tables.edgesOf[call + 1]; ++edge)
        visit(tables.edges[edge].from);
    for (const std::uint32_t order : tables.ordersOf[call])
        if (tables.orderedCalls[order].after == call)
            visit(tables.orderedCalls[order].before);
}

template <typename Visit>
void forEachLater(const LegalityTables& tables, std::uint32_t call, const Visit& visit)
{
    forEachReader(tables, call, visit);
    for (const std::uint32_t order : tables.ordersOf[call])
        if (tables.orderedCalls[order].before == call)
            visit(tables.orderedCalls[order].after);
}

} // namespace

std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags)
{
    TagLinks links(tags.order.size());
    for (const NodeId id : graph.nodes())
        for (const NodeId input : graph.inputs(id))
            if (graph[id].isCall() && graph[input].isCall())
                links.add(tags[input], tags[id]);
    return orderOfTags(links.pairs(), tags.order.size());
}

std::vector<NodeId> loweredWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag)
{
    const LegalityTables& tables = state.tables();
    return nodesOf(tables,
                   reach(
                       from, [&](std::uint32_t call, const auto& visit) { forEachEarlier(tables, call, visit); },
                       [&](std::uint32_t call) { return state.tagOf(call) > tag; }));
}

std::vector<NodeId> raisedWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag)
{
    const LegalityTables& tables = state.tables();
    return nodesOf(tables,
                   reach(
                       from, [&](std::uint32_t call, const auto& visit) { forEachLater(tables, call, visit); },
                       [&](std::uint32_t call) { return state.tagOf(call) >= 0 && state.tagOf(call) < tag; }));
}

std::pair<std::vector<NodeId>, std::int32_t> movedToReader(const LegalityState& state, std::uint32_t call)
{
    const LegalityTables& tables = state.tables();
    const std::int32_t own = state.tagOf(call);
    const std::vector<std::uint32_t> moving = reach(
        {call}, [&](std::uint32_t at, const auto& visit) { forEachReader(tables, at, visit); },
        [&](std::uint32_t at) { return state.tagOf(at) == own; });
    std::int32_t to = TagAssignment::kUntagged;
    bool isOne = true;
    for (const std::uint32_t at : moving)
        forEachReader(tables, at, [&](std::uint32_t reader) {
            const std::int32_t tag = state.tagOf(reader);
            if (tag < 0 || tag == own)
                return;
            isOne = isOne && (to < 0 || to == tag);
            to = tag;
        });
    if (!isOne || to < 0)
        return {{}, TagAssignment::kUntagged};
    return {nodesOf(tables, moving), to};
}

std::vector<TagChange> earliestTags(const LegalityTables& tables, const TagAssignment& tags)
{
    std::vector<TagChange> filled;
    if (tags.order.empty())
        return filled; // no tag to assign
    std::vector<std::int32_t> tagOf(tables.callCount());
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        tagOf[call] = tags[tables.nodes[call]];
        if (tagOf[call] >= 0)
            continue;
        std::int32_t tag = 0;
        forEachEarlier(tables, call, [&](std::uint32_t before) { tag = std::max(tag, tagOf[before]); });
        tagOf[call] = tag;
        filled.emplace_back(tables.nodes[call], tag);
    }
    return filled;
}

std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::pair<NodeId, int>> filled;
    if (tags.order.empty())
        return filled; // no tag to assign
    std::vector<std::int32_t> tagOf = tags.tagOf;
    tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall() || tagOf[id.index()] >= 0)
            continue;
        int tag = 0;
        for (const NodeId input : graph.inputs(id))
            if (graph[input].isCall())
                tag = std::max(tag, tagOf[input.index()]);
        tagOf[id.index()] = tag;
        filled.emplace_back(id, tag);
    }
    return filled;
}

std::vector<std::pair<NodeId, int>> latestTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::pair<NodeId, int>> filled;
    if (tags.order.empty())
        return filled; // no tag to assign
    std::vector<std::int32_t> tagOf = tags.tagOf;
    tagOf.resize(graph.idBound(), TagAssignment::kUntagged);
    const std::vector<NodeId> order = graph.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        if (!graph[*at].isCall() || tagOf[at->index()] >= 0)
            continue;
        int tag = static_cast<int>(tags.order.size()) - 1;
        for (const NodeId user : graph.users(*at))
            if (graph[user].isCall()) // users are already tagged
                tag = std::min(tag, tagOf[user.index()]);
        tagOf[at->index()] = tag;
        filled.emplace_back(*at, tag);
    }
    std::reverse(filled.begin(), filled.end());
    return filled;
}

} // namespace sunder
