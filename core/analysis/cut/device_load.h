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
    PartSizes sizes; ///< duplicates are those in parts that it does not hold, on any device
    std::size_t unknown = 0; ///< values and tensors with unknown sizes: the load may be larger
    std::optional<std::uint64_t> capacity; ///< whole bytes; nothing if the device's memory is not a number of at least 0
    [[nodiscard]] std::uint64_t usedBytes() const { return sizes.usedBytes(); }
    /// Returns the bytes beyond the capacity; 0 if the load fits or there is no capacity.
    [[nodiscard]] std::uint64_t overflowBytes() const
    {
        return capacity && usedBytes() > *capacity ? usedBytes() - *capacity : 0;
    }
    /// Returns the free bytes of the capacity; 0 if there are none.
    [[nodiscard]] std::uint64_t freeBytes() const { return capacity && usedBytes() < *capacity ? *capacity - usedBytes() : 0; }
};

/// Returns the load of each device, in order; `metrics` are those of the cut. `devicesOfPart[p]` lists the logical ids of the
/// devices of part p: none, one, or several for replicas. Unknown ids are ignored. O(parts + devices), and O(nodes + arguments)
/// for each device with parts of several stages.
std::vector<DeviceLoad> deviceLoads(const CutGraph& graph, const TagAssignment& cut, const CutMetrics& metrics,
                                    std::span<const Device> devices, const std::vector<std::vector<std::int64_t>>& devicesOfPart);

/// Returns the memory that PyTorch counts for the parts on each device (PartitionDagNode::usedBytes): values are never freed, and
/// an input of a part counts once per reader. Nothing for a device without parts. O(devices + records).
std::vector<std::optional<std::uint64_t>> torchCounts(std::span<const Device> devices, std::span<const PartitionDagNode> dag);

/// Returns the default devices of each part: parts with ops are assigned to the devices in order; parts beyond the last device
/// get none. The backward calls of a stage are on the device of its forward calls (forwardTags()). O(parts).
std::vector<std::vector<std::int64_t>> devicesInOrder(const CutMetrics& metrics, std::span<const Device> devices);

/// Returns the devices of each part in a partitioner's record, by submodule name; none for parts without a record. O(parts +
/// records).
std::vector<std::vector<std::int64_t>> devicesOfParts(const CutMetrics& metrics, std::span<const PartitionDagNode> dag);

} // namespace sunder
