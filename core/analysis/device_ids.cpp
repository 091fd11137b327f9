#include "analysis/device_ids.h"

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

} // namespace sunder
