#pragma once

#include "analysis/snapshot.h"
#include "document/runs/regions_outcome.h"
#include "passes/regions/region_boundaries.h"

namespace sunder {

/// All that there is to show of one group and that takes a look at the whole model.
struct RegionDetails {
    std::size_t group = 0;
    std::vector<std::string> names;         ///< of its occurrences
    std::shared_ptr<const Program> program; ///< its subgraph where one was made, else the first region cut out
    GraphId graph;
    std::vector<NodeId> places;             ///< per node of a region: the node that stands for it in `graph`; invalid: none
    std::vector<NodeId> shared;             ///< inputs of `graph` that are one value for all occurrences
    std::string within;                     ///< path of the module that holds all of the first region
    std::vector<RegionBoundary> boundaries;
};

/// For a background job. Refused as regionBoundaries() refuses.
Result<std::shared_ptr<const RegionDetails>> regionDetails(const SnapshotPtr& source, const RegionsOutcomePtr& outcome,
                                                           std::size_t group);

} // namespace sunder
