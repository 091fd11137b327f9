#pragma once

#include "analysis/snapshot.h"
#include "document/runs/regions_outcome.h"
#include "document/runs/run.h"
#include "document/runs/split_outcome.h"
#include "document/runs/unflatten_outcome.h"

namespace sunder {

// Each function runs a pass on the model and verifies the result against it, in the calling thread. Call from a background job.
// Fails if the pass refuses or the monitor is canceled. A result that could not be verified is not an error.

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, const PassOptions& options,
                                  ProgressMonitor& monitor);
Result<SplitOutcomePtr> makePartition(const SnapshotPtr& source, const PartitionRequest& request, ProgressMonitor& monitor);
/// Recomputes the sizes in a partition for the current sizes of the source, and records in the plan whether the partitioner would
/// now cut differently. Fails with ErrorCode::cancelled. Takes as long as the partition.
Result<void> recompute(SplitOutcome& cut, const Snapshot& source, ProgressMonitor& monitor);
Result<UnflattenOutcomePtr> makeUnflattened(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor);
/// Only finds regions.
Result<RegionsOutcomePtr> makeRegions(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor);
/// Deduplicates regions, with the restrictions that the proof requires.
Result<RegionsOutcomePtr> makeDeduplicated(const SnapshotPtr& source, const PassOptions& options, ProgressMonitor& monitor);

/// Converts a result of these functions to a RunResult.
template <typename T>
[[nodiscard]] Result<RunResult> asResult(Result<T> made)
{
    SUNDER_TRY(RunResult result, std::move(made));
    return result;
}

/// Verifies a result against the source again, with the source's current schemas of custom operators.
Result<RunResult> verifiedAgain(const SnapshotPtr& source, const RunResult& result, ProgressMonitor& monitor);

} // namespace sunder
