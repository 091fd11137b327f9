#include "passes/deduplicate/sharing_summary.h"

#include "passes/regions/occurrence_names.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

enum class State : std::uint8_t { alone, shared, rejected, leftInPlace };

void mark(std::span<const NodeId> nodes, State state, std::vector<State>& states)
{
    for (const NodeId id : nodes)
        states[id.index()] = state;
}

/// Marks the regions of each group as shared or left in place, and counts subgraphs and calls.
void markGroups(const RegionResult& regions, const DedupResult& dedup, std::vector<State>& states, SharingSummary& summary)
{
    for (const RegionGroup& group : regions.groups)
        mark(group.nodes, State::leftInPlace, states);
    for (const SharedSubgraph& subgraph : dedup.subgraphs) {
        const RegionGroup& group = regions.groups[subgraph.group];
        for (const std::size_t region : subgraph.regions)
            mark(group.region(region), State::shared, states);
        ++summary.subgraphs;
        summary.calls += subgraph.calls.size();
        summary.copies += group.length;
    }
}

UnsharedOps::Why whyOf(State state)
{
    return state == State::rejected   ? UnsharedOps::Why::rejected
        : state == State::leftInPlace ? UnsharedOps::Why::leftInPlace
                                      : UnsharedOps::Why::repeatNowhere;
}

} // namespace

SharingSummary sharingSummary(const Program& program, const RegionResult& regions, const DedupResult* dedup)
{
    const Graph& graph = program.rootGraph();
    SharingSummary summary;
    std::vector<State> states(graph.idBound(), State::alone);
    for (const RejectedRegion& rejected : regions.rejected)
        mark(rejected.nodes, State::rejected, states);
    if (dedup != nullptr)
        markGroups(regions, *dedup, states, summary);
    else
        for (const RegionGroup& group : regions.groups) {
            mark(group.nodes, State::shared, states);
            ++summary.subgraphs;
            summary.calls += group.regionCount();
            summary.copies += group.length;
        }
    std::map<std::pair<UnsharedOps::Why, std::string>, std::size_t> places;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        ++summary.ops;
        const State state = states[id.index()];
        if (state == State::shared) {
            ++summary.shared;
            continue;
        }
        const std::string where = state == State::alone ? likeModules(innermostModule(program, graph[id])) : std::string();
        const auto [at, isNew] = places.try_emplace({whyOf(state), where}, summary.rest.size());
        if (isNew)
            summary.rest.push_back({whyOf(state), where});
        summary.rest[at->second].nodes.push_back(id);
    }
    std::ranges::stable_sort(summary.rest, std::ranges::greater(), [](const UnsharedOps& ops) { return ops.nodes.size(); });
    return summary;
}

std::string describePlace(const UnsharedOps& ops)
{
    switch (ops.why) {
    case UnsharedOps::Why::rejected: return "in similar regions that cannot share a subgraph";
    case UnsharedOps::Why::leftInPlace: return "in repeated regions that were left in place";
    default: return ops.where.empty() ? "outside all modules" : "in " + ops.where;
    }
}

} // namespace sunder
