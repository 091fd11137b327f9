#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"
#include "tagging/problem.h"

namespace sunder {

/// Applies a fix found by problemsOf() for these tags. Fails like consecutiveStages(). O(nodes + tags); for stages the cost of
/// consecutiveStages().
Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair);

} // namespace sunder
