#include "tagging/tag_repairs.h"

#include <algorithm>
#include <set>

namespace sunder {

std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags)
{
    const std::size_t count = tags.order.size();
    std::set<std::pair<int, int>> edges;
    for (const NodeId id : graph.nodes()) {
        const int to = tags[id];
        if (to < 0 || !graph[id].isCall())
            continue;
        for (const NodeId input : graph.inputs(id))
            if (graph[input].isCall() && tags[input] >= 0 && tags[input] != to)
                edges.emplace(tags[input], to);
    }
    std::vector<int> waiting(count, 0);
    for (const auto& [from, to] : edges)
        ++waiting[static_cast<std::size_t>(to)];
    std::set<int> ready; // the earliest of the present order goes first, so that little moves
    for (std::size_t tag = 0; tag < count; ++tag)
        if (waiting[tag] == 0)
            ready.insert(static_cast<int>(tag));
    std::vector<int> order;
    while (!ready.empty()) {
        const int tag = *ready.begin();
        ready.erase(ready.begin());
        order.push_back(tag);
        for (auto at = edges.lower_bound({tag, 0}); at != edges.end() && at->first == tag; ++at)
            if (--waiting[static_cast<std::size_t>(at->second)] == 0)
                ready.insert(at->second);
    }
    return order.size() == count ? order : std::vector<int>();
}

namespace {

template <typename Neighbours, typename Wanted>
std::vector<NodeId> reach(const Graph& graph, NodeId from, const Neighbours& neighbours, const Wanted& wanted)
{
    std::vector<bool> seen(graph.idBound(), false);
    std::vector<NodeId> found{from};
    seen[from.index()] = true;
    for (std::size_t at = 0; at < found.size(); ++at)
        for (const NodeId next : neighbours(found[at]))
            if (!seen[next.index()] && graph[next].isCall() && wanted(next)) {
                seen[next.index()] = true;
                found.push_back(next);
            }
    return found;
}

} // namespace

std::vector<NodeId> laterProducers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag)
{
    return reach(graph, from, [&](NodeId id) { return graph.inputs(id); }, [&](NodeId id) { return tags[id] > tag; });
}

std::vector<NodeId> earlierConsumers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag)
{
    std::vector<NodeId> found = reach(
        graph, from, [&](NodeId id) { return graph.users(id); }, [&](NodeId id) { return tags[id] >= 0 && tags[id] < tag; });
    found.erase(found.begin()); // `from` stays where it is
    return found;
}

std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags)
{
    std::vector<std::pair<NodeId, int>> filled;
    if (tags.order.empty())
        return filled; // there is none to give
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

} // namespace sunder
