#pragma once

#include "analysis/fill/fill_effect.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

// Brush strokes and fills in a joint program whose backward pass follows, so that only the forward pass is painted.

/// Calls with the indices of their new tags; kUntagged removes the tag.
using WantedTags = std::vector<std::pair<NodeId, std::int32_t>>;

/// Redirects changes of backward calls to their forward calls, and backward tags to their forward tags. Each node occurs once,
/// ascending; the first of several changes counts. O(tags + wanted log wanted).
WantedTags meantForward(const TrainingGraph& training, std::span<const InternedString> order, WantedTags wanted);

/// Adds the changes of backward calls that follow from changes of forward calls. Every forward tag must have a backward tag
/// (EmptyBackwardTags::keep). O(nodes + arguments + tags).
WantedTags withFollowing(const Snapshot& snapshot, const TagAssignment& tags, WantedTags changes);

/// Returns the fillEffect() of changes including the following ones. Edges are only counted in the forward pass: following
/// backward calls have separate tags, which are legal whenever the forward pass is.
FillEffect followedEffect(const Snapshot& snapshot, const TagAssignment& tags, const WantedTags& changes, std::int32_t tag);

} // namespace sunder
