#pragma once

#include "analysis/tag_assignment.h"

#include <utility>
#include <vector>

namespace sunder {

/// Returns, for every untagged call node, the latest tag that its users allow; the counterpart of earliestTags(). Requires at
/// least one tag. O(nodes + arguments).
std::vector<std::pair<NodeId, int>> latestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
