#pragma once

#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"
#include "support/result.h"
#include "tagging/problem.h"

#include <span>

namespace sunder {

/// The tags in another order, of old indices: each once. Nodes keep theirs. O(nodes + tags).
TagAssignment reordered(const TagAssignment& tags, std::span<const int> order);

/// The tags without one; its nodes become untagged. O(nodes + tags).
TagAssignment withoutTag(const TagAssignment& tags, int tag);

/// The nodes of the tags `merged` (indices, `into` among them) have the tag `into`, and the others are gone. O(nodes + tags).
TagAssignment withMerged(const TagAssignment& tags, std::span<const int> merged, int into);

/// The tags with a repair that problemsOf() found for them. Fails as consecutiveStages() does. O(nodes + tags), stages
/// as consecutiveStages().
Result<TagAssignment> repaired(const Snapshot& snapshot, const TagAssignment& tags, const Repair& repair);

} // namespace sunder
