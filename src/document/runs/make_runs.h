#pragma once

#include "analysis/snapshot.h"
#include "document/runs/regions_outcome.h"
#include "document/runs/run.h"
#include "document/runs/split_outcome.h"
#include "document/runs/unflatten_outcome.h"
#include "passes/split_by_tags/split_by_tags.h"

namespace sunder {

// Every one runs a pass on the model and verifies what came out against it, in this thread: for a background job. Refused
// as the pass refuses, or cancelled; a result that is not proven equal is a result all the same.

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, const SplitOptions& options,
                                  ProgressMonitor& monitor);
Result<SplitOutcomePtr> makePartition(const SnapshotPtr& source, const PartitionRequest& request, ProgressMonitor& monitor);
/// Works out again what a partitioner reckoned of a cut, at the sizes that the source has now; says in the plan whether it would cut
/// otherwise. As long as the partition took.
void reckonAgain(SplitOutcome& cut, const Snapshot& source, ProgressMonitor& monitor);
Result<UnflattenOutcomePtr> makeUnflattened(const SnapshotPtr& source, const UnflattenOptions& options, ProgressMonitor& monitor);
/// Looks for regions, nothing else.
Result<RegionsOutcomePtr> makeRegions(const SnapshotPtr& source, const RegionOptions& options, ProgressMonitor& monitor);
/// Shares them, with as much caution as the proof needs.
Result<RegionsOutcomePtr> makeDeduplicated(const SnapshotPtr& source, const RegionOptions& options, ProgressMonitor& monitor);

/// The result of any of them as a run takes it.
template <typename T>
[[nodiscard]] Result<RunResult> asResult(Result<T> made)
{
    return made ? Result<RunResult>(std::move(*made)) : Result<RunResult>(forward(made));
}

/// The same result, verified against the source with the schemas of custom operators that the source has now.
Result<RunResult> verifiedAgain(const SnapshotPtr& source, const RunResult& result, ProgressMonitor& monitor);

} // namespace sunder
