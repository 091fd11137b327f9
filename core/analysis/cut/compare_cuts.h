#pragma once

#include "analysis/cut/cut_metrics.h"
#include "analysis/cut/device_load.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sunder {

enum class PartMatching : std::uint8_t {
    names,   ///< parts of one name, then the rest by overlap
    overlap, ///< by the calls that two parts share, the largest overlaps first, whatever they are called
};

/// Two parts that are taken for one another, or a part that only one of the cuts has.
struct PartPair {
    std::int32_t before = TagAssignment::kUntagged; ///< index into the first order; kUntagged: new
    std::int32_t after = TagAssignment::kUntagged;  ///< index into the second order; kUntagged: gone
    std::size_t sharedCalls = 0;
    bool isByName = false;
};

/// A call that is in another part.
struct MovedNode {
    NodeId node;
    std::int32_t before = TagAssignment::kUntagged; ///< part in the first cut; kUntagged: in none
    std::int32_t after = TagAssignment::kUntagged;  ///< part in the second
    friend bool operator==(const MovedNode&, const MovedNode&) = default;
};

/// The calls that went from one part to one other.
struct MoveGroup {
    std::int32_t before = TagAssignment::kUntagged;
    std::int32_t after = TagAssignment::kUntagged;
    std::size_t calls = 0;
    std::uint64_t bytes = 0; ///< of their results
};

/// What two cuts of one source differ in. Parts of the first are "before", of the second "after".
struct CutComparison {
    std::vector<PartPair> parts;   ///< in the order of the second cut, then those that are gone
    std::vector<MovedNode> moved;  ///< in graph order: in a part that is not the counterpart of the old one
    std::vector<MoveGroup> groups; ///< of `moved`, most calls first
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
