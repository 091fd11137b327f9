#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_legality.h"
#include "analysis/tag_totals.h"
#include "tagging/problems.h"

namespace sunder {

/// What is to be said about tags: made after every stroke, in a job where the model is large.
struct TagCheck {
    TagReport report;
    TagTotals totals;
    Problems problems;
    double milliseconds = 0; ///< how long the check took
};

/// O(nodes + arguments + repairs priced).
TagCheck checkOf(const Snapshot& snapshot, const TagAssignment& tags, const ProblemOptions& options);

} // namespace sunder
