#pragma once

#include "analysis/cut/cut_graph.h"

namespace sunder {

/// Fills `pieces`, `pieceBytes` and `pieceMaker` of a CutGraph whose values are numbered. O(nodes + tensors in `val`).
void findPieces(const Graph& graph, CutGraph& out);

} // namespace sunder
