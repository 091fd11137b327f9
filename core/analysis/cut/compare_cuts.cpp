// Compares two cuts of one source: moved calls and costs.

#include "analysis/cut/compare_cuts.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

std::int64_t difference(std::uint64_t before, std::uint64_t after)
{
    return static_cast<std::int64_t>(after) - static_cast<std::int64_t>(before);
}

std::uint64_t usedBytes(const CutMetrics& metrics, std::int32_t part)
{
    return part >= 0 ? metrics.parts[static_cast<std::size_t>(part)].sizes.usedBytes() : 0;
}

std::size_t filledParts(const CutMetrics& metrics)
{
    return static_cast<std::size_t>(
        std::count_if(metrics.parts.begin(), metrics.parts.end(), [](const PartMetrics& part) { return part.sizes.ops > 0; }));
}

} // namespace

CutComparison compareCuts(const CutGraph& graph, const TagAssignment& before, const TagAssignment& after, PartMatching matching)
{
    return {compareAssignments(graph, before, after, matching), cutMetrics(graph, before), cutMetrics(graph, after)};
}

std::int64_t CutComparison::cutBytesChange() const
{
    return difference(before.cutBytes, after.cutBytes);
}

std::int64_t CutComparison::duplicatedBytesChange() const
{
    return difference(before.duplicatedBytes, after.duplicatedBytes);
}

std::int64_t CutComparison::largestChange() const
{
    return difference(usedBytes(before, before.largest), usedBytes(after, after.largest));
}

std::int64_t CutComparison::partCountChange() const
{
    return difference(filledParts(before), filledParts(after));
}

std::int64_t CutComparison::usedChange(const PartPair& pair) const
{
    return difference(usedBytes(before, pair.before), usedBytes(after, pair.after));
}

namespace {

std::string nameOf(const Device& device)
{
    return device.name.empty() ? describe(device) : device.name;
}

std::size_t sizeOf(const LoadedDevices& loaded)
{
    return std::min(loaded.devices.size(), loaded.loads.size());
}

} // namespace

std::vector<DeviceChange> compareDevices(const LoadedDevices& before, const LoadedDevices& after)
{
    std::unordered_map<std::string, std::vector<std::size_t>> byName; // of the first run, last one first
    for (std::size_t i = sizeOf(before); i-- > 0;)
        byName[nameOf(before.devices[i])].push_back(i);
    std::vector<char> isPaired(sizeOf(before), 0);
    std::vector<DeviceChange> changes;
    for (std::size_t i = 0; i < sizeOf(after); ++i) {
        const DeviceLoad& now = after.loads[i];
        DeviceChange change{.name = nameOf(after.devices[i]),
                            .usedBefore = {},
                            .usedAfter = now.usedBytes(),
                            .overflowAfter = now.overflowBytes(),
                            .color = after.devices[i].color};
        if (std::vector<std::size_t>& same = byName[change.name]; !same.empty()) {
            change.usedBefore = before.loads[same.back()].usedBytes();
            change.overflowBefore = before.loads[same.back()].overflowBytes();
            isPaired[same.back()] = 1;
            same.pop_back();
        }
        changes.push_back(std::move(change));
    }
    for (std::size_t i = 0; i < sizeOf(before); ++i)
        if (isPaired[i] == 0)
            changes.push_back({.name = nameOf(before.devices[i]),
                               .usedBefore = before.loads[i].usedBytes(),
                               .usedAfter = {},
                               .overflowBefore = before.loads[i].overflowBytes(),
                               .color = before.devices[i].color});
    return changes;
}

} // namespace sunder
