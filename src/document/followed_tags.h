#pragma once

#include "analysis/snapshot.h"
#include "document/tag_edits.h"
#include "document/tag_state.h"

namespace sunder {

// Tags of a joint forward and backward program whose backward pass follows (TagState::backwardFollows). Each forward tag then has a
// backward tag in the list, with its colour under a pattern and its lock; what is painted is the forward pass.

/// Whether the backward pass of this program follows.
[[nodiscard]] bool followsForward(const TagState& state, const Snapshot& snapshot);

/// The state with the list of tags, and the tags of backward ops, as they follow from the forward pass; as it is where none follows.
/// O(nodes + tags).
[[nodiscard]] TagState followed(TagState state, const Snapshot& snapshot);

/// Who changes the tag of a backward op means its forward op, and with a backward tag its forward tag. Each node once, the first counts.
[[nodiscard]] TagChanges meantForward(const TagState& state, const Snapshot& snapshot, TagChanges wanted);

/// With the backward ops that follow these changes of forward ops. Of a followed() state.
[[nodiscard]] TagChanges withFollowing(const TagState& state, const Snapshot& snapshot, TagChanges changes);

/// retagging() of what is meant, with what follows.
[[nodiscard]] Retagging followedRetagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted);

/// Whether tags that take the place of all others can be followed: the backward pass followed before, and these are as if it did.
[[nodiscard]] bool goesOnFollowing(const TagState& before, const TagAssignment& tags, const Snapshot& snapshot);

} // namespace sunder
