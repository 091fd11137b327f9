#pragma once

#include "analysis/legality/legality_state.h"
#include "analysis/tag_assignment.h"

#include <utility>
#include <vector>

namespace sunder {

/// Returns the order of the tags (old indices) without backward edges between tagged nodes that is closest to the present one;
/// empty if they depend on each other in a cycle. O(nodes + arguments + tags²).
std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags);

/// Returns the calls that need at most tag `tag` if the calls `from` (ascending) get it: these, and all of their producers and
/// runtime order predecessors with a later tag. In order of reach. O(reached calls).
std::vector<NodeId> loweredWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag);

/// Returns the calls that need at least `tag`: these, and all of their consumers and runtime order successors with an earlier
/// tag. Untagged calls stay untagged.
std::vector<NodeId> raisedWith(const LegalityState& state, const std::vector<std::uint32_t>& from, std::int32_t tag);

/// Returns a non-tensor value with its dependents in the same part, and the only other part that consumes any of them, as
/// move_non_tensor moves them. No nodes if there are several such parts.
std::pair<std::vector<NodeId>, std::int32_t> movedToReader(const LegalityState& state, std::uint32_t call);

/// Returns, for every untagged call, the earliest tag that its producers and runtime order predecessors allow; nothing if there
/// are no tags. O(calls + edges).
std::vector<TagChange> earliestTags(const LegalityTables& tables, const TagAssignment& tags);

/// Same by data edges alone; nothing if there are no tags.
std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags);

/// Returns, for every untagged call node, the latest tag that its users allow; the counterpart of earliestTags(). Requires at
/// least one tag. O(nodes + arguments).
std::vector<std::pair<NodeId, int>> latestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
