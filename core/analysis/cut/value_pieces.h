#pragma once

#include "analysis/cut/cut_graph.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Fills `pieces`, `pieceBytes` and `pieceMaker` of a CutGraph whose values are numbered. Unfinished once
/// `monitor` was cancelled. O(nodes + tensors in `val`).
void findPieces(const Graph& graph, CutGraph& out, ProgressMonitor& monitor);

} // namespace sunder
