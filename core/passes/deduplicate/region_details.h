#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/find_regions.h"
#include "passes/regions/region_boundaries.h"
#include "passes/regions/region_program.h"

namespace sunder {

/// Returns a shared subgraph as a separate program for display, with the ids that it has in the result. Inputs for which the
/// first call passes parameters, buffers or constants get a signature entry with that name, so that weights fold into the ops
/// that read them, as in the source. Inputs take over the stack traces of the passed values. `nodes` is empty. O(result + inputs
/// × calls).
RegionProgram subgraphProgram(const DedupResult& result, const SharedSubgraph& subgraph);

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
