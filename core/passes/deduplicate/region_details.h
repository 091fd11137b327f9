#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/find_regions.h"
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

/// Of one group of what was found with these options; `dedup`: where it was shared. For a background job. Refused as regionBoundaries() refuses.
Result<std::shared_ptr<const RegionDetails>> regionDetails(const Program& source, const RegionOptions& options,
                                                           const RegionResult& found, const DedupResult* dedup,
                                                           std::size_t group);

} // namespace sunder
