#pragma once

#include "analysis/legality/legality_state.h"
#include "analysis/tag_assignment.h"

#include <utility>
#include <vector>

namespace sunder {

/// Order of the tags (old indices) in which no edge between tagged nodes runs backwards, as near to the present one
/// as can be; empty when they depend on each other in a circle. O(nodes + arguments + tags²).
std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags);

/// What has to have at most tag `tag` when the calls `from` (ascending) get it: these, and all above them with a later one, along
/// edges and hidden orders. By reach. O(what is reached).
std::vector<NodeId> loweredWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag);

/// The same for what has to have at least `tag`: these, and all below them with an earlier one; untagged ones stay.
std::vector<NodeId> raisedWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag);

/// A value that is no tensor, with all of its part that hangs on it, and the one other part that reads any of these, as
/// move_non_tensor moves them; no nodes where there are several such parts.
std::pair<std::vector<NodeId>, std::int32_t> movedToReader(const LegalityState& state, std::uint32_t call);

/// For every untagged call the earliest tag that its producers, and what must run before it, allow; nothing where there are no
/// tags. O(calls + edges).
std::vector<TagChange> earliestTags(const LegalityTables& tables, const TagAssignment& tags);

/// The same by what they read alone; nothing where there are no tags.
std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
