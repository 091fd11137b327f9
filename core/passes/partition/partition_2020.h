#pragma once

#include "passes/partition/partition_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder {

struct Partition2020Options {
    bool exact = false; ///< keeps the faults of 2020
};

/// The size-based Partitioner that torch.fx had in October 2020: one partition where the first device holds everything;
/// else calls in graph order fill devices of equal memory one after the other, then small partitions are joined.
/// Corrected unless `exact`: what a call needs is reckoned anew when a partition is opened for it, links between
/// partitions are those of their nodes, so no account and no device is exceeded. Partitions are numbered by the place
/// of their first call; partition i goes to device i.
/// Refused, naming node, device and numbers: no devices, no calls, too little memory, devices of unequal memory, a size
/// that is not known, a node larger than a device, more partitions than devices.
/// O(nodes + arguments) and the merging, which is near linear in partitions.
Result<PartitionResult> partition2020(const Program& source, std::span<const Device> devices,
                                      const Partition2020Options& options = {},
                                      ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
