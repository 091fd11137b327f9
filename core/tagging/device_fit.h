#pragma once

#include "analysis/cut/device_load.h"
#include "analysis/legality/legality_state.h"

#include <memory>

namespace sunder {

/// Whether the parts of a cut fit the devices that they lie on. The one account of it: the Partition DAG, the list of
/// problems, the table of devices and `sunder-cli check` all show these figures: the peak of a run (MemoryRule::freesDead), of tags
/// and of a partition. Symbols have their hints.
struct DeviceFit {
    std::vector<Device> devices;
    std::shared_ptr<const CutGraph> graph;
    TagAssignment cut;
    CutMetrics metrics;
    std::vector<DeviceLoad> loads; ///< per device
    std::vector<std::optional<std::uint64_t>> torchCounts = {}; ///< per device, of a partition: beside the loads, for people
    bool isOfTags = true; ///< the cut is that of the tags: repairs can move ops
};

/// Of a cut whose parts are put on the devices in order: the first part with ops on the first device. O(nodes + arguments).
DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices);

/// Of a cut that a partitioner put on devices, as its record says. O(nodes + arguments).
DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices,
                    std::span<const PartitionDagNode> dag);

/// The loads with some calls of the cut in other parts, but for what is counted as duplicated and as not known; `changes` name each
/// node once. Of a cut whose parts are put on the devices in
/// order, none of which holds the backward calls of another, and where every part has calls that had some. O(calls + arguments of the parts that change); elsewhere as deviceFit().
std::vector<DeviceLoad> loadsAfter(const DeviceFit& fit, std::span<const TagChange> changes);

/// The calls of part `from` that are moved to part `to`, its neighbour in order, so that `from` fits its device: the last ones
/// when `to` comes later, else the first ones, as few as a few tries find. Empty when that does not make it fit, or when
/// `to` does not fit any more. O(tries · calls).
std::vector<NodeId> movedToFit(const DeviceFit& fit, std::int32_t from, std::int32_t to);

} // namespace sunder
