#pragma once

#include "analysis/cut/cut_summary.h"
#include "passes/balance/cut_figures.h"

namespace sunder {

/// Whether to search for the bound of the best cut as well, which takes up to CutFiguresOptions::timeLimit.
enum class SummaryBound : bool { none, search };

/// Measures a cut as `costs`, `memory`, and `compare --loads` do. Loads are missing, with the reason, if cutFigures() has none, and
/// the bound if loadBound() refuses. The only error is ErrorCode::cancelled.
Result<CutSummary> summarizeCut(const Program& program, const TagAssignment& tags, const CutFiguresOptions& options,
                                SummaryBound bound, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
