#pragma once

#include "io/side_files/moves_file.h"
#include "ir/graph.h"
#include "passes/move_non_tensor/move_non_tensor.h"

namespace sunder {

/// Returns the moves of nodes by name: the content of a MOVES.json. Linear.
MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result);

} // namespace sunder
