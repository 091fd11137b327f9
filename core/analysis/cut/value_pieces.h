#pragma once

#include "analysis/cut/cut_graph.h"
#include "support/progress_monitor.h"

namespace sunder {

/// Fills `pieces`, `pieceBytes` and `pieceMaker` of a CutGraph with numbered values. Incomplete after `monitor` is cancelled.
/// O(nodes + tensors in `val`).
void findPieces(const Graph& graph, CutGraph& out, ProgressMonitor& monitor);

} // namespace sunder
