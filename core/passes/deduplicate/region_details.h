#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/region_boundaries.h"

namespace sunder {

/// Display data of one group that is computed from the whole model.
struct RegionDetails {
    std::size_t group = 0;
    std::vector<std::string> names;         ///< of its occurrences
    std::shared_ptr<const Program> program; ///< its subgraph if there is one, else a copy of the first region
    GraphId graph;
    std::vector<NodeId> places;             ///< per node of a region: its node in `graph`; invalid if there is none
    std::vector<NodeId> shared;             ///< inputs of `graph` with the same value in all occurrences
    std::string within;                     ///< path of the module that contains the whole first region
    std::vector<RegionBoundary> boundaries;
};

/// Computes the details of one group of `found`, which was found with `options`. `dedup`: deduplication result, or null. Meant
/// for a background job. Refuses as regionBoundaries() does.
Result<std::shared_ptr<const RegionDetails>> regionDetails(const Program& source, const RegionOptions& options,
                                                           const RegionResult& found, const DedupResult* dedup,
                                                           std::size_t group);

} // namespace sunder
