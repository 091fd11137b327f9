#pragma once

#include "analysis/partitioner_config.h"
#include "passes/partition/partition_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct PartitionTodayOptions {
    bool asUpstream = false; ///< keeps torch's faults, for comparison
};

/// torch.fx.experimental.accelerator_partitioner in all its modes. One partition where the largest device holds
/// everything (not for aotBased); else as the mode says. Equal to torch's partitions, accounts, devices and names where
/// torch is right. By default what is broken there is put right (see core/README.md), and no device is exceeded; a
/// result that would is refused.
/// Refused, naming node, partition or device and the numbers: what does not fit, tables that lack a node, partitions
/// that depend on each other in a circle. sizeBased, sparseNn and aotBased: near linear; costAware and klBased try
/// pairs of partitions or nodes, as torch does, and are for graphs of hundreds of calls.
Result<PartitionResult> partitionToday(const Program& source, const PartitionerConfig& config,
                                       const PartitionTodayOptions& options = {},
                                       ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
