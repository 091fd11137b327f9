#pragma once

#include "analysis/tag_assignment.h"

#include <utility>
#include <vector>

namespace sunder {

/// Order of the tags (old indices) in which no edge between tagged nodes runs backwards, as near to the present one
/// as can be; empty when they depend on each other in a circle. O(nodes + arguments + tags²).
std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags);

/// Nodes above `from` (itself included) with a greater tag than `tag`: what must move to `tag` so that `from` may.
std::vector<NodeId> laterProducers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag);

/// Nodes below `from` (itself not) with a smaller tag than `tag`, untagged ones excluded: what must move to `tag` when
/// `from` has it.
std::vector<NodeId> earlierConsumers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag);

/// For every untagged call node the earliest tag that its producers allow; nothing where there are no tags.
std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
