#pragma once

#include "passes/partition/partition_problem.h"

#include <span>

namespace sunder {

/// The partition that no device has room for.
struct Unmapped {
    std::uint32_t partition;
    double needed;    ///< bytes, on the roomiest device
    double remaining; ///< bytes that are left there
};

/// Finds a device for every partition that has none, in order: of the devices by the bytes that they have left, the
/// fullest that still holds what the partition adds to its nodes. As upstream it must add less than what is left; by
/// default an exact fit will do. Stops at the first partition that fits nowhere. O(members × devices).
std::optional<Unmapped> mapToDevices(const PartitionProblem& problem, std::span<UnnumberedPartition> partitions);

/// Why the mapping failed, as an error that names a node and the numbers.
tl::unexpected<Error> noDeviceFor(const PartitionProblem& problem, std::span<const UnnumberedPartition> partitions,
                                  const Unmapped& unmapped);

} // namespace sunder
