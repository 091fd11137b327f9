#pragma once

#include "analysis/representatives.h"
#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// Returns the subgraph calls in the main graph of a deduplicated model, each with the occurrence that it replaces.
std::vector<Representative> regionCalls(const RegionResult& regions, const DedupResult& dedup);

} // namespace sunder
