#pragma once

#include "analysis/snapshot.h"
#include "document/tag_edits.h"
#include "document/tag_state.h"

namespace sunder {

// Tags of a joint forward-backward program whose backward pass follows the forward pass (TagState::backwardFollows). Each forward
// tag has a backward tag in the list, with the same color under a pattern and the same lock. Only the forward pass is painted.

/// Returns whether the backward pass of this program follows.
[[nodiscard]] bool followsForward(const TagState& state, const Snapshot& snapshot);

/// Updates the tag list and the tags of backward ops from the forward pass. Returns the state unchanged if the backward pass does
/// not follow. O(nodes + tags).
[[nodiscard]] TagState followed(TagState state, const Snapshot& snapshot);

/// Maps changes of backward ops to their forward ops, and backward tags to forward tags. Keeps the first change per node.
[[nodiscard]] TagChanges meantForward(const TagState& state, const Snapshot& snapshot, TagChanges wanted);

/// Adds the changes of the backward ops that follow these forward changes. Requires a followed() state.
[[nodiscard]] TagChanges withFollowing(const TagState& state, const Snapshot& snapshot, TagChanges changes);

/// Computes retagging() of the forward ops, then adds the backward ops that follow.
[[nodiscard]] Retagging followedRetagging(const TagState& state, const Snapshot& snapshot, TagChanges wanted);

/// Returns whether replaced tags can keep following: the backward pass followed before, and the new tags are consistent with
/// that.
[[nodiscard]] bool canKeepFollowing(const TagState& before, const TagAssignment& tags, const Snapshot& snapshot);

} // namespace sunder
