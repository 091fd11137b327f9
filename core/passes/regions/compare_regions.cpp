// Compares two searches for repeated regions. Each group becomes a part that contains the calls of all its regions, so that the
// comparison of partitionings applies. Statistics of both are included, to show groups that lost occurrences.
#include "passes/regions/compare_regions.h"

#include <numeric>
#include <string>

namespace sunder {
namespace {

TagAssignment assignmentOf(const Graph& graph, const NamedRegions& named)
{
    TagAssignment groups;
    groups.tagOf.assign(graph.idBound(), TagAssignment::kUntagged);
    for (std::size_t i = 0; i < named.regions.groups.size(); ++i) {
        groups.order.push_back(i < named.names.size() ? named.names[i] : intern("group " + std::to_string(i)));
        for (const NodeId id : named.regions.groups[i].nodes)
            groups.tagOf[id.index()] = static_cast<std::int32_t>(i);
    }
    return groups;
}

std::vector<GroupFigures> figuresOf(const NamedRegions& named)
{
    std::vector<GroupFigures> figures;
    for (std::size_t i = 0; i < named.regions.groups.size(); ++i) {
        const RegionGroup& group = named.regions.groups[i];
        const std::uint64_t all = group.regionCount() < 2 ? 0 : (group.regionCount() - 1) * std::uint64_t{group.length};
        figures.push_back({group.regionCount(), group.length, i < named.saved.size() ? named.saved[i] : all});
    }
    return figures;
}

std::uint64_t sum(const std::vector<GroupFigures>& figures)
{
    return std::accumulate(figures.begin(), figures.end(), std::uint64_t{0},
                           [](std::uint64_t total, const GroupFigures& group) { return total + group.saved; });
}

GroupFigures at(const std::vector<GroupFigures>& figures, std::int32_t group)
{
    return group < 0 ? GroupFigures{} : figures[static_cast<std::size_t>(group)];
}

} // namespace

RegionComparison compareRegions(const Program& source, const NamedRegions& before, const NamedRegions& after)
{
    TagAssignment groupsBefore = assignmentOf(source.rootGraph(), before);
    TagAssignment groupsAfter = assignmentOf(source.rootGraph(), after);
    RegionComparison out{compareAssignments(cutGraph(source), groupsBefore, groupsAfter, PartMatching::overlap)};
    out.before = std::move(groupsBefore);
    out.after = std::move(groupsAfter);
    out.groupsBefore = figuresOf(before);
    out.groupsAfter = figuresOf(after);
    return out;
}

std::uint64_t RegionComparison::savedBefore() const
{
    return sum(groupsBefore);
}

std::uint64_t RegionComparison::savedAfter() const
{
    return sum(groupsAfter);
}

GroupFigures RegionComparison::figuresBefore(const PartPair& pair) const
{
    return at(groupsBefore, pair.before);
}

GroupFigures RegionComparison::figuresAfter(const PartPair& pair) const
{
    return at(groupsAfter, pair.after);
}

} // namespace sunder
