#pragma once

#include "analysis/tag_assignment.h"

#include <utility>
#include <vector>

namespace sunder {

/// For every untagged call node the latest tag that those who read it allow, as earliestTags() gives the earliest that what
/// it reads allows. There is at least one tag. O(nodes + arguments).
std::vector<std::pair<NodeId, int>> latestTags(const Graph& graph, const TagAssignment& tags);

} // namespace sunder
