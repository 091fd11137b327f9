#include "passes/deduplicate/region_details.h"

#include "passes/deduplicate/subgraph_program.h"
#include "passes/regions/occurrence_names.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the subgraph node for each node of the first region.
std::vector<NodeId> placesIn(const DedupResult& dedup, GraphId subgraph, GraphId root, std::span<const NodeId> region)
{
    std::vector<NodeId> places;
    for (const NodeId id : region) {
        NodeId copy;
        for (const IdentityMap::Pair& pair : dedup.map.resultsOf({root, id}))
            if (pair.result.graph == subgraph && !pair.created)
                copy = pair.result.node;
        places.push_back(copy);
    }
    return places;
}

/// Returns the subgraph made from the group; nothing if there is none, or if it contains no node of the group.
std::optional<RegionProgram> sharedProgram(const Program& source, const RegionResult& regions, const DedupResult* dedup,
                                           std::size_t group)
{
    if (dedup == nullptr)
        return std::nullopt;
    const auto& made = dedup->subgraphs;
    const auto at = std::ranges::find_if(made, [&](const SharedSubgraph& subgraph) { return subgraph.group == group; });
    if (at == made.end())
        return std::nullopt;
    std::vector<NodeId> places = placesIn(*dedup, at->graph, source.root, regions.groups[group].region(0));
    if (std::ranges::none_of(places, [](NodeId id) { return id.isValid(); }))
        return std::nullopt;
    RegionProgram program = subgraphProgram(*dedup, *at);
    program.nodes = std::move(places);
    return program;
}

} // namespace

Result<std::shared_ptr<const RegionDetails>> regionDetails(const Program& source, const RegionOptions& options,
                                                           const RegionResult& found, const DedupResult* dedup, std::size_t group)
{
    auto details = std::make_shared<RegionDetails>();
    details->group = group;
    const RegionGroup& regions = found.groups[group];
    details->names = occurrenceNames(source, regions);
    SUNDER_TRY(std::vector<RegionBoundary> boundaries, regionBoundaries(source, options, found, group));
    details->boundaries = std::move(boundaries);
    std::optional<RegionProgram> made = sharedProgram(source, found, dedup, group);
    RegionProgram drawn = made ? std::move(*made) : regionProgram(source, regions);
    details->graph = drawn.program.root;
    details->places = std::move(drawn.nodes);
    details->shared = std::move(drawn.shared);
    details->within = drawn.within.str();
    details->program = std::make_shared<const Program>(std::move(drawn.program));
    return std::shared_ptr<const RegionDetails>(std::move(details));
}

} // namespace sunder
