#pragma once

#include "analysis/cut/node_sizes.h"
#include "ir/program.h"
#include "passes/partition/partition_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder {

/// Refuses a set that would not do: a call in no partition or in one that it is not listed in, and devices that would
/// hold more than they have: their partitions' nodes, and what those read from elsewhere. The last line of defence of
/// every partitioner that promises to keep to the devices. Fails when `monitor` was cancelled. O(members + arguments).
Result<void> checkPartitionSet(const Program& source, const NodeSizes& sizes, const PartitionSet& set,
                               std::span<const Device> devices, ProgressMonitor& monitor);

/// How the record of parts is made.
enum class DagRule : std::uint8_t {
    byPart,       ///< bytes and devices of the partition that is called
    byListedId,   ///< today's torch: of the partition at the index that stands in the call's name; refused without one
};

/// Cuts the program along the set, and records the parts: inputs, outputs (all users of a call that has several, as
/// torch's partitioners have it, else the call), bytes, devices. `listed` holds indices of partitions in the order of
/// torch's list, for DagRule::byListedId. Refused where partitions depend on each other in a circle. Linear.
Result<PartitionResult> applyPartitionSet(const Program& source, PartitionSet set, DagRule rule,
                                          std::span<const std::uint32_t> listed, ProgressMonitor& monitor);

} // namespace sunder
