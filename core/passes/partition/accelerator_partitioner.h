#pragma once

#include "analysis/partition_assignment.h"
#include "passes/partition/partition_set.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct PartitionTodayOptions {
    bool asUpstream = false; ///< reproduces PyTorch's bugs, for comparison
};

/// Runs torch.fx.experimental.accelerator_partitioner in any of its modes. Creates one partition if the largest device holds
/// everything (except for aotBased); otherwise the mode decides. Partitions, byte counts, devices and names equal PyTorch's where
/// PyTorch is correct. By default PyTorch's bugs are fixed (docs/internals/partitioners.md), and results that exceed a device are
/// refused.
///
/// Returns ErrorCode::refused, naming node, partition or device and the numbers, for models that do not fit, incomplete tables,
/// and cyclic partitions. sizeBased, sparseNn and aotBased are near linear. costAware and klBased try pairs of partitions or
/// nodes, like PyTorch, and suit graphs of hundreds of calls.
Result<PartitionResult> acceleratorPartition(const Program& source, const PartitionerConfig& config,
                                             const PartitionTodayOptions& options = {},
                                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
