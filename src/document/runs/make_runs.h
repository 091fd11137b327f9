#pragma once

#include "document/runs/run.h"
#include "document/snapshot.h"

namespace sunder {

// Every one runs a pass on the model and verifies what came out against it, in this thread: for a background job. Refused
// as the pass refuses, or cancelled; a result that is not proven equal is a result all the same.

Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, const SplitOptions& options,
                                  ProgressMonitor& monitor);
Result<SplitOutcomePtr> makePartition(const SnapshotPtr& source, const PartitionRequest& request, ProgressMonitor& monitor);
Result<UnflattenOutcomePtr> makeUnflattened(const SnapshotPtr& source, const UnflattenOptions& options,
                                            ProgressMonitor& monitor);
/// Looks for regions, nothing else.
Result<RegionsOutcomePtr> makeRegions(const SnapshotPtr& source, const RegionOptions& options, ProgressMonitor& monitor);
/// Shares them, with as much caution as the proof needs.
Result<RegionsOutcomePtr> makeDeduplicated(const SnapshotPtr& source, const RegionOptions& options,
                                           ProgressMonitor& monitor);

/// The same result, verified against the source with the schemas of custom operators that the source has now.
Result<RunResult> verifiedAgain(const SnapshotPtr& source, const RunResult& result, ProgressMonitor& monitor);

} // namespace sunder
