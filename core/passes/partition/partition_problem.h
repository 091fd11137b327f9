#pragma once

#include "analysis/cut/node_sizes.h"
#include "analysis/partition_assignment.h"
#include "ir/program.h"
#include "passes/partition/partition_links.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <vector>

namespace sunder {

/// Input of the modes of PyTorch's current partitioner.
struct PartitionProblem {
    const Program& program;
    const Graph& graph;
    const NodeSizes& sizes;
    const PartitionerConfig& config;
    std::vector<std::optional<NodeLatency>> latencyOf; ///< per NodeId
    bool asUpstream;
    ProgressMonitor& monitor;
};

/// Result of a mode. Partitions are in the order of PyTorch's list, whose indices are their ids; members may be in any order.
struct Partitioning {
    std::vector<UnnumberedPartition> partitions;
    std::vector<std::int64_t> ids = {};  ///< if they differ from the indices
    /// Per NodeId, the index of the partition that contains it in the split, if it differs from the members.
    std::vector<std::uint32_t> splitInto = {};
    std::vector<std::uint32_t> sharingDevices = {}; ///< partitions that share one list of devices in PyTorch
};

Result<Partitioning> partitionBySize(const PartitionProblem& problem);
Result<Partitioning> partitionSparseNn(const PartitionProblem& problem);
Result<Partitioning> partitionCostAware(const PartitionProblem& problem);
Result<Partitioning> partitionKernighanLin(const PartitionProblem& problem);
Result<Partitioning> partitionAheadOfTime(const PartitionProblem& problem);

/// Replicates all partitions onto idle devices, as often as possible: each used device gets the smallest idle one with enough
/// memory for its content. Returns ErrorCode::refused if a partition has no device or an unknown one.
Result<void> saturateHost(const PartitionProblem& problem, Partitioning& partitioning);

/// Formats bytes with enough digits to differ from another figure, see formatBytesBeside(). Negative values count as 0.
std::string bytesBeside(double bytes, double other);

} // namespace sunder
