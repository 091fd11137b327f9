#pragma once

#include "analysis/cut/device_load.h"
#include "analysis/legality/legality_state.h"

#include <memory>

namespace sunder {

/// Whether the parts of a cut fit their devices. The Partition DAG, the problem list, the device table and `sunder-cli check` all
/// show these figures: the peak of a run (MemoryRule::freesDead), for tags and for partitions. Symbolic dimensions have their
/// hints.
struct DeviceFit {
    std::vector<Device> devices;
    std::shared_ptr<const CutGraph> graph;
    TagAssignment cut;
    CutMetrics metrics;
    std::vector<DeviceLoad> loads; ///< per device
    std::vector<std::optional<std::uint64_t>> torchCounts = {}; ///< per device of a partition: additional figures for display
    bool isOfTags = true; ///< the cut is that of the tags, so fixes can move ops
};

/// Measures a cut whose parts are assigned to the devices in order: the first part with ops to the first device. O(nodes +
/// arguments).
DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices);

/// Measures a cut that a partitioner assigned to devices, according to its record. O(nodes + arguments).
DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices,
                    std::span<const PartitionDagNode> dag);

/// Returns the loads after changes of tags (each node once), without updating duplicated bytes and unknown sizes. The parts must
/// be assigned to the devices in order. O(calls + arguments of the changed parts) if no part gains its first or loses its last
/// call and there are no backward tags; otherwise same as deviceFit().
std::vector<DeviceLoad> loadsAfter(const DeviceFit& fit, std::span<const TagChange> changes);

/// Finds calls to move from part `from` to its neighbor `to` so that `from` fits its device: the last calls if `to` is later,
/// otherwise the first ones, as few as a few attempts find. Empty if that is impossible, or if `to` would overflow. O(attempts ×
/// calls).
std::vector<NodeId> movedToFit(const DeviceFit& fit, std::int32_t from, std::int32_t to);

} // namespace sunder
