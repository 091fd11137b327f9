#pragma once

#include "io/side_files/moves_file.h"
#include "io/side_files/regions_file.h"
#include "ir/graph.h"
#include "passes/move_non_tensor/move_non_tensor.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// Returns the moves of nodes by name: the content of a MOVES.json. Linear.
MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result);

/// Returns repeated regions of a graph by node name: the content of a REGIONS.json. Linear.
RegionsFile regionsByName(const Graph& graph, const RegionResult& result);

} // namespace sunder
