#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"
#include "tagging/problem.h"

namespace sunder {

/// The tags with a repair that problemsOf() found for them. Fails as consecutiveStages() does. O(nodes + tags), stages
/// as consecutiveStages().
Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair);

} // namespace sunder
