#include "passes/deduplicate/sharing_summary.h"

#include "passes/regions/occurrences.h"

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

std::vector<Representative> regionCalls(const RegionResult& regions, const DedupResult& dedup)
{
    std::vector<Representative> calls;
    for (const SharedSubgraph& subgraph : dedup.subgraphs)
        for (std::size_t i = 0; i < std::min(subgraph.calls.size(), subgraph.regions.size()); ++i) {
            const auto region = regions.groups[subgraph.group].region(subgraph.regions[i]);
            calls.push_back({subgraph.calls[i], {region.begin(), region.end()}});
            std::ranges::sort(calls.back().sources);
        }
    return calls;
}

std::vector<RegionFigures> regionFigures(const RegionResult& regions, const DedupResult* dedup, const ProgramSizes& sizes)
{
    std::vector<RegionFigures> cards;
    cards.reserve(regions.groups.size());
    for (std::size_t i = 0; i < regions.groups.size(); ++i) {
        const RegionGroup& group = regions.groups[i];
        RegionFigures card{.group = i, .length = group.length, .count = group.regionCount()};
        for (const NodeId id : group.nodes)
            card.bytes += sizes.parameterBytes[id.index()];
        cards.push_back(card);
    }
    if (dedup != nullptr)
        for (const SharedSubgraph& subgraph : dedup->subgraphs) {
            cards[subgraph.group].isShared = true;
            cards[subgraph.group].shared = subgraph.calls.size();
        }
    for (RegionFigures& card : cards) {
        const std::size_t replaced = dedup != nullptr ? card.shared : card.count;
        card.saved = replaced < 2 ? 0 : (replaced - 1) * std::uint64_t{card.length};
    }
    const auto isBefore = [](const RegionFigures& a, const RegionFigures& b) {
        return a.saved != b.saved ? a.saved > b.saved : a.bytes > b.bytes;
    };
    std::stable_sort(cards.begin(), cards.end(), isBefore);
    for (std::size_t i = 0; i < cards.size(); ++i)
        cards[i].name = "R" + std::to_string(i + 1);
    return cards;
}

std::string titleOf(const RegionFigures& card)
{
    return card.name + " ×" + std::to_string(card.count);
}

} // namespace sunder
