#pragma once

#include "io/side_files/regions_file.h"
#include "ir/graph.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// Repeated regions of a graph by the names of their nodes: what a REGIONS.json says. Linear.
RegionsFile regionsByName(const Graph& graph, const RegionResult& result);

} // namespace sunder
