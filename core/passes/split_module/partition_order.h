#pragma once

#include "passes/split_module/partition_plan.h"

namespace sunder {

/// Returns the order in which torch's split_module calls the partitions. Partitions without dependencies are pushed to a stack in
/// order of appearance. Each partition popped pushes the dependents for which it was the last missing dependency. Refuses a cycle
/// of partitions, and names its partitions and nodes. O(partitions + dependencies).
Result<std::vector<std::uint32_t>> orderPartitions(const Graph& graph, const SplitModulePlan& plan);

} // namespace sunder
