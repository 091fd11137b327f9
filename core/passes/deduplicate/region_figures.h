#pragma once

#include "analysis/sizes.h"
#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"

#include <string>

#include <vector>

namespace sunder {

/// Statistics of a group of repeated regions.
struct RegionFigures {
    std::size_t group = 0;    ///< index into the groups of the result
    std::string name = {};        ///< e.g. "R1"; numbered by savings
    std::uint32_t length = 0; ///< ops per region
    std::size_t count = 0;    ///< number of regions
    std::size_t shared = 0;   ///< number of regions replaced by calls; 0 if nothing was shared
    std::uint64_t saved = 0;  ///< ops saved if the regions (only the shared ones, if any) become calls of one graph
    std::uint64_t bytes = 0;  ///< of parameters, buffers and constants that the regions read together; 0: none or unknown
    bool isShared = false;    ///< has a subgraph
};

/// Returns one entry per group, sorted by saved ops, then by bytes, both descending, then in the order found. `dedup`:
/// deduplication result, or null; `sizes`: of the source. O(nodes of the groups).
std::vector<RegionFigures> regionFigures(const RegionResult& regions, const DedupResult* dedup, const ProgramSizes& sizes);

/// Returns a title such as "R1 ×32".
std::string titleOf(const RegionFigures& card);

} // namespace sunder
