#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

/// Among orders with equally few crossings, finds the one that readers expect: lanes at the left, and branches side by side in
/// execution order from left to right (q, k, v; expert 0 … 7). As a result, equal bodies look equal.
///
/// First mirrors the whole order if that helps, then exchanges neighboring branches over all their ranks as long as no crossing
/// is added. `budget` is the maximum number of visited vertices. Fails only when canceled.
Result<void> preferProgramOrder(Layering& layering, std::uint64_t budget, ProgressMonitor& monitor);

} // namespace sunder::layered
