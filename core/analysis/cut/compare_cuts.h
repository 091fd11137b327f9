#pragma once

#include "analysis/cut/compare_assignments.h"
#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/device_load.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

/// The differences between two cuts of one source, "before" and "after".
struct CutComparison : AssignmentComparison {
    CutMetrics before;
    CutMetrics after;
    /// Changes of totals: after minus before.
    [[nodiscard]] std::int64_t cutBytesChange() const;
    [[nodiscard]] std::int64_t duplicatedBytesChange() const;
    [[nodiscard]] std::int64_t largestChange() const;
    [[nodiscard]] std::int64_t partCountChange() const; ///< parts with calls
    /// Returns the change of usedBytes() of a pair. A missing part uses 0 bytes.
    [[nodiscard]] std::int64_t usedChange(const PartPair& pair) const;
};

/// Compares two cuts of one source. O(nodes + arguments + tensors + overlapping pairs × log of them + parts³, see
/// compareAssignments()).
CutComparison compareCuts(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after,
                          PartMatching matching = PartMatching::names);

/// The change in the load of a device.
struct DeviceChange {
    std::string name;
    std::optional<std::uint64_t> usedBefore; ///< nothing: the first run has no such device
    std::optional<std::uint64_t> usedAfter;
    std::uint64_t overflowBefore = 0;
    std::uint64_t overflowAfter = 0;
    std::string color = {}; ///< color of the device, from the second run if it has the device
};

/// The devices of a run with their loads.
struct LoadedDevices {
    std::span<const Device> devices;
    std::span<const DeviceLoad> loads; ///< parallel to `devices`
};

/// Pairs the devices of two runs by name (unnamed ones by logical id), in the order of the second run, followed by removed
/// devices. Devices with equal names are paired in order. O(devices).
std::vector<DeviceChange> compareDevices(const LoadedDevices& before, const LoadedDevices& after);

} // namespace sunder
