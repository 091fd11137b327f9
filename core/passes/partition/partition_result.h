#pragma once

#include "analysis/device.h"
#include "analysis/partition_dag.h"
#include "passes/partition/partition_set.h"
#include "passes/split_result.h"

#include <optional>
#include <vector>

namespace sunder {

/// Result of a partitioner: the partitions as data, and the split graph.
struct PartitionResult {
    SplitResult split;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in execution order
    /// If the request has a latency for every call: seconds of each partition's critical path, by index.
    std::vector<double> latencies = {};
    std::optional<double> graphLatency = {}; ///< seconds of the critical path, including transfers
};

} // namespace sunder
