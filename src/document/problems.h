#pragma once

#include "document/problem.h"
#include "document/runs/split_outcome.h"
#include "document/snapshot.h"

#include "analysis/tag_legality.h"

namespace sunder {

/// What there is to say about tags, errors first, each with its repairs; and about `outcome` when one is given that
/// was not proven. At most `limit` problems of a kind, then one that counts the rest. O(report + repairs priced).
Problems problemsOf(const Snapshot& snapshot, const TagAssignment& tags, const TagReport& report, int activeTag,
                    const SplitOutcome* outcome, std::size_t limit = 100);

/// Order of the tags (old indices) in which no edge between tagged nodes runs backwards, as near to the present one
/// as can be; empty when they depend on each other in a circle. O(nodes + arguments + tags²).
std::vector<int> legalTagOrder(const Graph& graph, const TagAssignment& tags);

/// Nodes above `from` (itself included) with a greater tag than `tag`: what must move to `tag` so that `from` may.
std::vector<NodeId> laterProducers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag);

/// Nodes below `from` (itself not) with a smaller tag than `tag`, untagged ones excluded: what must move to `tag` when
/// `from` has it.
std::vector<NodeId> earlierConsumers(const Graph& graph, const TagAssignment& tags, NodeId from, int tag);

/// For every untagged call node the earliest tag that its producers allow.
std::vector<std::pair<NodeId, int>> earliestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
