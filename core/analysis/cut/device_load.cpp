#include "analysis/cut/device_load.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

std::optional<std::uint64_t> capacityOf(const Device& device)
{
    constexpr double kBeyond = 18446744073709551616.0;
    const double bytes = device.availableBytes;
    return bytes >= 0 && bytes < kBeyond ? std::optional(static_cast<std::uint64_t>(bytes)) : std::nullopt;
}

void addPart(const PartMetrics& part, std::size_t index, DeviceLoad& load)
{
    load.parts.push_back(static_cast<std::int32_t>(index));
    load.parameterBytes += part.sizes.parameterBytes;
    load.duplicatedBytes += part.sizes.duplicatedBytes;
    load.activationBytes += part.sizes.activationPeakBytes;
    load.inputBytes += part.sizes.inputBytes;
    load.unknown += part.unknownValues.size() + part.unknownTensors.size();
}

} // namespace

std::vector<DeviceLoad> deviceLoads(const CutMetrics& metrics, std::span<const Device> devices,
                                    const std::vector<std::vector<std::int64_t>>& devicesOfPart)
{
    std::vector<DeviceLoad> loads(devices.size());
    std::unordered_map<std::int64_t, std::size_t> byId;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        loads[i].capacity = capacityOf(devices[i]);
        byId.emplace(devices[i].logicalId, i);
    }
    for (std::size_t part = 0; part < std::min(metrics.parts.size(), devicesOfPart.size()); ++part)
        for (const std::int64_t id : devicesOfPart[part])
            if (const auto device = byId.find(id); device != byId.end())
                addPart(metrics.parts[part], part, loads[device->second]);
    return loads;
}

std::vector<std::vector<std::int64_t>> devicesInOrder(const CutMetrics& metrics, std::span<const Device> devices)
{
    std::vector<std::vector<std::int64_t>> places(metrics.parts.size());
    std::size_t next = 0;
    for (std::size_t part = 0; part < places.size(); ++part)
        if (metrics.parts[part].sizes.ops > 0 && next < devices.size())
            places[part] = {devices[next++].logicalId};
    return places;
}

std::vector<std::vector<std::int64_t>> devicesOfParts(const CutMetrics& metrics, std::span<const PartitionDagNode> dag)
{
    std::unordered_map<InternedString, const PartitionDagNode*> byName;
    for (const PartitionDagNode& record : dag)
        byName.emplace(record.submodule, &record);
    std::vector<std::vector<std::int64_t>> devices;
    for (const PartMetrics& part : metrics.parts) {
        const auto record = byName.find(part.name);
        devices.push_back(record != byName.end() ? record->second->devices : std::vector<std::int64_t>());
    }
    return devices;
}

} // namespace sunder
