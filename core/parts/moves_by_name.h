#pragma once

#include "io/side_files/moves_file.h"
#include "ir/graph.h"
#include "passes/move_non_tensor/move_non_tensor.h"

namespace sunder {

/// Moves of nodes by their names: what a MOVES.json says. Linear.
MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result);

} // namespace sunder
