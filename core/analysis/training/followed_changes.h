#pragma once

#include "analysis/fill/fill_effect.h"
#include "analysis/snapshot.h"
#include "analysis/tag_assignment.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

// Strokes and fills in a joint program whose backward pass follows: what is painted is the forward pass.

/// Calls, and indices of the tags that they are to have; kUntagged for none.
using WantedTags = std::vector<std::pair<NodeId, std::int32_t>>;

/// Who changes the tag of a backward call means its forward call, and with a backward tag its forward tag. Each node once, ascending; the
/// first of several counts. O(tags + wanted log wanted).
WantedTags meantForward(const TrainingGraph& training, std::span<const InternedString> order, WantedTags wanted);

/// With the backward calls that follow changes of forward calls. Every forward tag has its backward tag (EmptyBackwardTags::keep).
/// O(nodes + arguments + tags).
WantedTags withFollowing(const Snapshot& snapshot, const TagAssignment& tags, WantedTags changes);

/// fillEffect() of changes with what follows. Backward calls that follow have tags of their own, with which a cut is legal where the
/// forward pass is: edges are counted there.
FillEffect followedEffect(const Snapshot& snapshot, const TagAssignment& tags, const WantedTags& changes, std::int32_t tag);

} // namespace sunder
