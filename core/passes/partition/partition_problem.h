#pragma once

#include "analysis/cut/node_sizes.h"
#include "analysis/partitioner_config.h"
#include "ir/program.h"
#include "passes/partition/number_partitions.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <vector>

namespace sunder {

/// What the modes of today's partitioner work on.
struct PartitionProblem {
    const Program& program;
    const Graph& graph;
    const NodeSizes& sizes;
    const PartitionerConfig& config;
    std::vector<std::optional<NodeLatency>> latencyOf; ///< per NodeId
    bool asUpstream;
    ProgressMonitor& monitor;
};

/// What a mode decides. Partitions are in the order of torch's list, whose indices are their ids; members may be in any
/// order.
struct Partitioning {
    std::vector<UnnumberedPartition> partitions;
    std::vector<std::int64_t> ids = {};  ///< where they are not the indices
    /// Per NodeId the index of the partition that it is split into, where the members do not say so.
    std::vector<std::uint32_t> splitInto = {};
    std::vector<std::uint32_t> sharingDevices = {}; ///< partitions that torch gives one list of devices in common
};

Result<Partitioning> partitionBySize(const PartitionProblem& problem);
Result<Partitioning> partitionSparseNn(const PartitionProblem& problem);
Result<Partitioning> partitionCostAware(const PartitionProblem& problem);
Result<Partitioning> partitionKernighanLin(const PartitionProblem& problem);
Result<Partitioning> partitionAheadOfTime(const PartitionProblem& problem);

/// Puts replicas of all partitions onto idle devices, as often as they fit there: for each used device the smallest
/// idle one that holds what it holds. Refused when a partition has no device or one that is not in the list.
Result<void> saturateHost(const PartitionProblem& problem, Partitioning& partitioning);

/// "4.1 kB" beside another figure, as formatBytesBeside(); what is below 0 is 0.
std::string bytesBeside(double bytes, double other);

} // namespace sunder
