#pragma once

#include "analysis/partition_assignment.h"
#include "analysis/tag_assignment.h"

namespace sunder {

/// A partition a tag, called like it; calls without a tag have none. O(nodes).
PartitionAssignment partitionsOfTags(const Graph& graph, const TagAssignment& tags);

/// A partition each time that the calls, in graph order, come to another module, numbered from 0. The module of a call is that
/// of level `depth` in its stack (1: those that the model itself calls), or the innermost where the stack is not so deep. A
/// call in no module goes along with the call before it, the first ones with the first module. What a partition reads is in
/// earlier ones, so that they can always be called in order; a module whose calls are apart in the graph is in several.
/// O(nodes × depth of their stacks).
PartitionAssignment partitionsByModule(const Program& program, std::uint32_t depth = 1);

} // namespace sunder
