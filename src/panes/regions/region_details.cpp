#include "panes/regions/region_details.h"

#include "passes/regions/occurrence_names.h"
#include "passes/regions/region_program.h"

#include <algorithm>

namespace sunder {

namespace {

void takeSubgraph(RegionDetails& details, const GraphId root, const RegionsOutcomePtr& outcome, const SharedSubgraph& subgraph)
{
    const DedupResult& dedup = *outcome->dedup;
    details.program = {outcome, &dedup.program};
    details.graph = subgraph.graph;
    for (const NodeId id : outcome->regions.groups[details.group].region(0)) {
        NodeId copy;
        for (const IdentityMap::Pair& pair : dedup.map.resultsOf({root, id}))
            if (pair.result.graph == subgraph.graph && !pair.created)
                copy = pair.result.node;
        details.places.push_back(copy);
    }
}

} // namespace

Result<std::shared_ptr<const RegionDetails>> regionDetails(const SnapshotPtr& source, const RegionsOutcomePtr& outcome,
                                                           std::size_t group)
{
    auto details = std::make_shared<RegionDetails>();
    details->group = group;
    const RegionGroup& regions = outcome->regions.groups[group];
    details->names = occurrenceNames(source->program, regions);
    Result<std::vector<RegionBoundary>> boundaries =
        regionBoundaries(source->program, outcome->options, outcome->regions, group);
    if (!boundaries)
        return forward(boundaries);
    details->boundaries = std::move(*boundaries);
    if (outcome->dedup)
        for (const SharedSubgraph& subgraph : outcome->dedup->subgraphs)
            if (subgraph.group == group)
                takeSubgraph(*details, source->program.root, outcome, subgraph);
    const bool isDrawn = std::any_of(details->places.begin(), details->places.end(), [](NodeId id) { return id.isValid(); });
    if (!isDrawn) {
        RegionProgram cut = regionProgram(source->program, regions.region(0));
        details->program = std::make_shared<const Program>(std::move(cut.program));
        details->graph = details->program->root;
        details->places = std::move(cut.nodes);
    }
    return std::shared_ptr<const RegionDetails>(std::move(details));
}

} // namespace sunder
