#pragma once

#include "analysis/device.h"
#include "analysis/partition_dag.h"
#include "passes/partition/partition_set.h"
#include "passes/split_result.h"

#include <optional>
#include <vector>

namespace sunder {

/// What a partitioner makes: the cut as a value, and the graph cut along it.
struct PartitionResult {
    SplitResult split;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in order of execution
    /// Where the request tells the latency of every call: seconds of each partition's critical path, by index.
    std::vector<double> latencies = {};
    std::optional<double> graphLatency = {}; ///< seconds of the critical path, transfers included
};

} // namespace sunder
