#pragma once

#include "analysis/cut/cut_metrics.h"
#include "analysis/device.h"
#include "analysis/partition_dag.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The memory of all parts on one device. It is measured as one part with all of their calls, so weights and values count once.
/// Under MemoryRule::freesDead, the forward and the backward part of a stage may run at the same time (a pipeline). Their memory adds
/// up, except for weights that both read.
struct DeviceLoad {
    MemoryRule rule = MemoryRule::freesDead;
    std::vector<std::int32_t> parts; ///< ascending
    std::uint64_t parameterBytes = 0;
    std::uint64_t duplicatedBytes = 0; ///< of those, what another part holds too, on whatever device
    std::uint64_t activationBytes = 0; ///< peaks, or all of them where they are kept
    std::uint64_t inputBytes = 0;
    std::size_t unknown = 0; ///< values and tensors whose size is not known: the load may be more
    std::optional<std::uint64_t> capacity; ///< whole bytes; nothing when the device's memory is no number above or at 0
    [[nodiscard]] std::uint64_t usedBytes() const { return parameterBytes + activationBytes + inputBytes; }
    /// Bytes beyond the capacity; 0 when it fits or when there is no capacity.
    [[nodiscard]] std::uint64_t overflowBytes() const
    {
        return capacity && usedBytes() > *capacity ? usedBytes() - *capacity : 0;
    }
    /// Bytes that are left of the capacity; 0 when there is none.
    [[nodiscard]] std::uint64_t freeBytes() const { return capacity && usedBytes() < *capacity ? *capacity - usedBytes() : 0; }
};

/// The load of each device, in their order; `metrics` are those of the cut. `devicesOfPart[p]` lists the logical ids of the
/// devices on which part p lies: none, one, or several for replicas. Ids of no device are passed over. O(parts + devices), and
/// O(nodes + arguments) for each device that holds parts of several stages.
std::vector<DeviceLoad> deviceLoads(const CutGraph& graph, const TagAssignment& cut, const CutMetrics& metrics,
                                    std::span<const Device> devices, const std::vector<std::vector<std::int64_t>>& devicesOfPart);

/// Per device what torch counts for the parts on it (PartitionDagNode::usedBytes): no value is freed, and an input of a part counts
/// once for each reader. Nothing for a device without parts. O(devices + records).
std::vector<std::optional<std::uint64_t>> torchCounts(std::span<const Device> devices, std::span<const PartitionDagNode> dag);

/// Per part of the metrics the device that it lies on when nobody has said which: parts with ops on the devices in their
/// order; none for those beyond. The backward calls of a stage lie where its forward calls do (forwardTags()). O(parts).
std::vector<std::vector<std::int64_t>> devicesInOrder(const CutMetrics& metrics, std::span<const Device> devices);

/// Per part of the metrics the devices that a partitioner's record gives it, by the name of the submodule; none for
/// parts that it does not name. O(parts + records).
std::vector<std::vector<std::int64_t>> devicesOfParts(const CutMetrics& metrics, std::span<const PartitionDagNode> dag);

} // namespace sunder
