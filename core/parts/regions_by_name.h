#pragma once

#include "io/side_files/regions_file.h"
#include "ir/graph.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// Returns repeated regions of a graph by node name: the content of a REGIONS.json. Linear.
RegionsFile regionsByName(const Graph& graph, const RegionResult& result);

} // namespace sunder
