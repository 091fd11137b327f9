#pragma once

#include "document/problem.h"
#include "document/runs/split_outcome.h"
#include "document/snapshot.h"
#include "document/tag_totals.h"

#include "analysis/tag_legality.h"

namespace sunder {

/// What is to be said about tags: made after every stroke, in a job where the model is large.
struct TagCheck {
    TagReport report;
    TagTotals totals;
    Problems problems;
    double milliseconds = 0; ///< how long the check took
};

/// `outcome` is given while it is of these tags. O(nodes + arguments + repairs priced).
TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, int activeTag, const SplitOutcome* outcome);

} // namespace sunder
