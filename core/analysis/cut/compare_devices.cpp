#include "analysis/cut/compare_cuts.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
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
