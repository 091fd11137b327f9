#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

namespace sunder::layered {

/// Among orders that cross as much, the one that people expect: lanes at the left, and branches side by side in order of
/// execution from left to right (q, k, v; expert 0 … 7), so that equal bodies look equal. Mirrors the whole, then
/// exchanges neighbouring branches, as a whole and over all their ranks, where that costs no crossing. `budget`: vertices
/// that it may visit for that. False when cancelled.
bool preferProgramOrder(Layering& layering, std::uint64_t budget, ProgressMonitor& monitor);

} // namespace sunder::layered
