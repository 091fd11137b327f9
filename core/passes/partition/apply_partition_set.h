#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"
#include "passes/partition/partition_set.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>
#include <string>

namespace sunder {

/// Final check for all partitioners that guarantee device limits. Refuses a set if a call belongs to no partition, or to one that
/// does not list it, or if the nodes and external inputs of its partitions exceed a device's memory. Fails with
/// ErrorCode::cancelled. O(members + arguments).
Result<void> checkPartitionSet(const Program& source, const NodeSizes& sizes, const PartitionSet& set,
                               std::span<const Device> devices, ProgressMonitor& monitor);

/// Source of the bytes and devices in the record of a part.
enum class DagRule : std::uint8_t {
    byPart, ///< the partition that is called
    byListedId, ///< as in current torch: the partition at the index in the call's name; refused if there is none
};

/// Splits the program by the set and records per part: inputs, outputs, bytes and devices. Outputs are all users of a call with
/// several users, as in PyTorch's partitioners, else the call itself. `listed`: indices of partitions in the order of PyTorch's list,
/// for DagRule::byListedId. Returns ErrorCode::refused if partitions form a cycle. Linear.
Result<PartitionResult> applyPartitionSet(const Program& source, PartitionSet set, DagRule rule,
                                          std::span<const std::uint32_t> listed, ProgressMonitor& monitor);

/// Outcome of re-evaluating a partitioning for other sizes than it was made for.
struct PartitionAtSizes {
    bool isSameCut = true; ///< the partitioner would produce the same partitioning for these sizes
    std::string why = {}; ///< its refusal, if it would produce none
};

/// Recomputes the bytes of a partitioning for the current sizes of `source`; the partitions do not change. `source` is the
/// partitioned program with other size hints. `again`: the partitioner's result or refusal for these sizes. If it is the same
/// partitioning, its figures are used; otherwise PyTorch's account of the members, in which unknown sizes count as 0. O(members +
/// arguments).
PartitionAtSizes takeFigures(const Program& source, Result<PartitionResult> again, PartitionSet& set,
                             std::vector<PartitionDagNode>& dag);

} // namespace sunder
