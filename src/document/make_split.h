#pragma once

#include "document/snapshot.h"
#include "document/split_outcome.h"

namespace sunder {

/// Splits by tags and verifies what came out against the source. Refused as splitByTags() refuses; a result that is
/// not proven equal is a result all the same. For a background job.
Result<SplitOutcomePtr> makeSplit(const SnapshotPtr& source, const TagAssignment& tags, ProgressMonitor& monitor);

} // namespace sunder
