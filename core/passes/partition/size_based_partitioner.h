#pragma once

#include "passes/partition/partition_set.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder {

struct SizeBasedOptions {
    bool exact = false; ///< reproduces the bugs of 2020
};

/// The size-based Partitioner of torch.fx as of October 2020. Creates one partition if the first device holds everything.
/// Otherwise calls in graph order fill devices of equal memory one after the other, and small partitions are then joined.
/// Partitions are numbered by their first call; partition i goes to device i.
///
/// Corrected unless `exact`: the need of a call is recomputed when a partition is opened for it, and links between partitions are
/// those of their nodes, so no device's memory is exceeded.
///
/// Returns ErrorCode::refused, naming node, device and numbers, for: no devices, no calls, too little memory, devices of unequal
/// memory, an unknown size, a node larger than a device, more partitions than devices. O(nodes + arguments) plus the merging,
/// which is near linear in partitions.
Result<PartitionResult> sizeBasedPartition(const Program& source, std::span<const Device> devices,
                                           const SizeBasedOptions& options = {},
                                           ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
