#pragma once

#include "analysis/sizes.h"
#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"

#include <string>

#include <vector>

namespace sunder {

/// A group of repeated regions in figures.
struct RegionFigures {
    std::size_t group = 0;    ///< among the groups of the result
    std::string name = {};        ///< "R1": by what the groups save
    std::uint32_t length = 0; ///< ops in each region
    std::size_t count = 0;    ///< regions
    std::size_t shared = 0;   ///< of these, calls of one subgraph; 0 where nothing was shared
    std::uint64_t saved = 0;  ///< ops that go when the regions (where shared: those that are) become calls of one graph
    std::uint64_t bytes = 0;  ///< of parameters, buffers and constants that all regions together read; 0: none or unknown
    bool isShared = false;    ///< a subgraph was made
};

/// A value a group: those that save most ops first, among these the heavier ones, then as they were found. `dedup`: where they were
/// shared; `sizes`: of the source. O(nodes of the groups).
std::vector<RegionFigures> regionFigures(const RegionResult& regions, const DedupResult* dedup, const ProgramSizes& sizes);

/// "R1 ×32".
std::string titleOf(const RegionFigures& card);

} // namespace sunder
