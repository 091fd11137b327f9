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

/// What two cuts of one source differ in. Parts of the first are "before", of the second "after".
struct CutComparison : AssignmentComparison {
    CutMetrics before;
    CutMetrics after;
    /// After minus before, of totals.
    [[nodiscard]] std::int64_t cutBytesChange() const;
    [[nodiscard]] std::int64_t duplicatedBytesChange() const;
    [[nodiscard]] std::int64_t largestChange() const;
    [[nodiscard]] std::int64_t partCountChange() const; ///< parts that have calls
    /// Change of usedBytes() of a pair; what a missing part uses is 0.
    [[nodiscard]] std::int64_t usedChange(const PartPair& pair) const;
};

/// Compares two cuts of one source. O(nodes + arguments + tensors + overlapping pairs × log of them).
CutComparison compareCuts(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after,
                          PartMatching matching = PartMatching::names);

/// Change of what a device is used for.
struct DeviceChange {
    std::string name;
    std::optional<std::uint64_t> usedBefore; ///< nothing: the first run had no such device
    std::optional<std::uint64_t> usedAfter;
    std::uint64_t overflowBefore = 0;
    std::uint64_t overflowAfter = 0;
    std::string color = {}; ///< as the device's, of the second run where it has it
};

/// Devices of a run and what is on each.
struct LoadedDevices {
    std::span<const Device> devices;
    std::span<const DeviceLoad> loads; ///< of as many
};

/// Pairs the devices of two runs by name (nameless ones by logical id), in the order of the second run, then those that
/// are gone. Of several of one name the first is paired with the first, and so on. O(devices).
std::vector<DeviceChange> compareDevices(const LoadedDevices& before, const LoadedDevices& after);

} // namespace sunder
