#pragma once

#include "analysis/cut/compare_cuts.h"
#include "document/runs/split_outcome.h"
#include "document/snapshot.h"

#include "support/progress_monitor.h"
#include "support/result.h"

#include <memory>

namespace sunder {

/// What two cuts of the model differ in: nodes, bytes, parts and, where they were made for devices, those.
struct RunComparison {
    CutComparison cuts;
    std::vector<DeviceChange> devices; ///< empty when neither was made for devices
    TagAssignment before;              ///< the cuts as tags of the source, whose indices `cuts` uses
    TagAssignment after;
};

using RunComparisonPtr = std::shared_ptr<const RunComparison>;

/// Compares two cuts; for a background job. Fails only with ErrorCode::cancelled.
Result<RunComparisonPtr> compareRuns(const SnapshotPtr& source, const SplitOutcomePtr& before, const SplitOutcomePtr& after,
                                     ProgressMonitor& monitor);

} // namespace sunder
