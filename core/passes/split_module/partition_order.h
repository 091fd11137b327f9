#pragma once

#include "passes/split_module/partition_plan.h"

namespace sunder {

/// The order in which torch's split_module calls the partitions: those without dependencies wait on a stack in order of
/// appearance, the last is taken first, and pushes the dependents for which it was the last one missing. Refuses
/// partitions that depend on each other, naming a ring of them with the nodes that make it.
/// O(partitions + dependencies).
Result<std::vector<std::uint32_t>> orderPartitions(const Graph& graph, const SplitModulePlan& plan);

} // namespace sunder
