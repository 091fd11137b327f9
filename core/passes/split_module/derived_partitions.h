#pragma once

#include "analysis/partition_assignment.h"
#include "analysis/tag_assignment.h"

namespace sunder {

/// Returns one partition per tag, with the same name; calls without a tag belong to none. O(nodes).
PartitionAssignment partitionsOfTags(const Graph& graph, const TagAssignment& tags);

/// Starts a partition whenever the calls, in graph order, enter another module; numbers them from 0. The module of a call is that
/// at level `depth` of its stack (1: children of the root module), or the innermost one if the stack is shorter. A call without a
/// module joins the preceding call; leading ones join the first module. Partitions only depend on earlier ones, so a valid call
/// order always exists; a module whose calls are not contiguous has several partitions. O(nodes × depth of their stacks).
PartitionAssignment partitionsByModule(const Program& program, std::uint32_t depth = 1);

} // namespace sunder
