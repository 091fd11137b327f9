#include "analysis/device.h"

#include <algorithm>
#include <set>

namespace sunder {

void makeIdsUnique(std::vector<Device>& devices)
{
    std::set<std::int64_t> taken;
    std::vector<Device*> without;
    for (Device& device : devices)
        if (device.logicalId < 0 || !taken.insert(device.logicalId).second)
            without.push_back(&device);
    std::int64_t next = 0;
    for (Device* device : without) {
        while (!taken.insert(next).second)
            ++next;
        device->logicalId = next;
    }
}

namespace {

bool isTheSame(const Device& a, const Device& b)
{
    return a.logicalId == b.logicalId && a.availableBytes == b.availableBytes;
}

} // namespace

bool giveTheSame(const std::vector<Device>& a, const std::vector<Device>& b)
{
    return std::ranges::equal(a, b, isTheSame);
}

std::vector<Device> asCalledNow(std::vector<Device> called, const std::vector<Device>& now)
{
    for (Device& device : called) {
        const auto same = std::ranges::find_if(now, [&](const Device& other) { return isTheSame(device, other); });
        if (same == now.end())
            continue;
        device.name = same->name;
        device.color = same->color;
    }
    return called;
}

} // namespace sunder
