#include "analysis/cut/device_load.h"

#include "support/format.h"

#include <algorithm>

namespace sunder {

std::vector<DeviceLoad> deviceLoads(const CutMetrics& metrics, const std::vector<DeviceMemory>& devices,
                                    const std::vector<std::vector<std::uint32_t>>& devicesOfPart)
{
    std::vector<DeviceLoad> loads(devices.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
        loads[i].capacity = devices[i].bytes;
    for (std::size_t i = 0; i < std::min(metrics.parts.size(), devicesOfPart.size()); ++i)
        for (const std::uint32_t device : devicesOfPart[i]) {
            if (device >= loads.size())
                continue;
            const PartMetrics& part = metrics.parts[i];
            DeviceLoad& load = loads[device];
            load.parts.push_back(static_cast<std::int32_t>(i));
            load.parameterBytes += part.sizes.parameterBytes;
            load.duplicatedBytes += part.sizes.duplicatedBytes;
            load.activationBytes += part.sizes.activationPeakBytes;
            load.inputBytes += part.sizes.inputBytes;
            load.unknown += part.unknownValues.size() + part.unknownTensors.size();
        }
    return loads;
}

std::string describeOverflow(const DeviceLoad& load, const DeviceMemory& device)
{
    if (load.overflowBytes() == 0)
        return {};
    return device.name + " needs " + formatBytes(load.usedBytes()) + " and has " + formatBytes(*load.capacity) + ": " +
           formatBytes(load.overflowBytes()) + " too much";
}

} // namespace sunder
