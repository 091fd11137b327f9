#include "analysis/cut/device_load.h"

#include "analysis/cut/part_measure.h"
#include "analysis/training/backward_tags.h"

#include <algorithm>
#include <span>
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
    load.sizes += part.sizes;
    load.unknown += part.unknownValues.size() + part.unknownTensors.size();
}

/// Measures several parts as one: all of their calls, part by part.
void holdAsOne(const CutGraph& graph, std::vector<std::int32_t> partOf, DeviceLoad& load)
{
    const std::int32_t whole = load.parts.front();
    std::vector<std::uint32_t> calls;
    for (std::uint32_t call = 0; call < graph.callCount; ++call)
        if (std::binary_search(load.parts.begin(), load.parts.end(), partOf[call]))
            calls.push_back(call);
    std::ranges::stable_sort(calls, {}, [&partOf](std::uint32_t call) { return partOf[call]; });
    for (const std::uint32_t call : calls)
        partOf[call] = whole;
    PartMeasure measure(graph, partOf);
    const PartMetrics held = measure.measure(whole, calls);
    load.sizes = held.sizes;
    load.unknown = held.unknownValues.size() + held.unknownTensors.size();
    for (std::uint32_t memory = 0; memory < graph.memoryBytes.size(); ++memory)
        if (const auto holders = measure.holders(memory);
            holders.size() > 1 && std::binary_search(holders.begin(), holders.end(), whole))
            load.sizes.duplicatedBytes += graph.memoryBytes[memory];
}

/// Subtracts the second copy of weights that the forward and the backward part of a stage both read.
void holdStagesOnce(const CutGraph& graph, const std::vector<std::int32_t>& partOf, std::span<const std::int32_t> forward,
                    std::vector<DeviceLoad>& loads)
{
    if (std::ranges::all_of(forward, [](std::int32_t tag) { return tag < 0; }))
        return;
    std::vector<DeviceLoad*> loadOf(forward.size(), nullptr);
    for (DeviceLoad& load : loads)
        for (const std::int32_t part : load.parts)
            loadOf[static_cast<std::size_t>(part)] = &load;
    std::vector<std::int32_t> holders;
    for (std::uint32_t memory = 0; memory < graph.memoryBytes.size(); ++memory) {
        holders.clear();
        for (const std::uint32_t call : graph.memoryReaders[memory])
            if (partOf[call] >= 0)
                holders.push_back(partOf[call]);
        std::ranges::sort(holders);
        holders.erase(std::ranges::unique(holders).begin(), holders.end());
        const std::vector<std::int32_t> different = differentStages(forward, holders);
        for (const std::int32_t part : holders) {
            DeviceLoad* const load = loadOf[static_cast<std::size_t>(part)];
            const std::int32_t stage = forward[static_cast<std::size_t>(part)];
            if (load == nullptr || stage < 0 || load != loadOf[static_cast<std::size_t>(stage)]
                || !std::ranges::binary_search(holders, stage))
                continue;
            load->sizes.parameterBytes -= graph.memoryBytes[memory];
            load->sizes.duplicatedBytes -= graph.memoryBytes[memory] * (different.size() == 1 ? 2 : 1);
        }
    }
}

} // namespace

std::vector<DeviceLoad> deviceLoads(const CutGraph& graph, const TagAssignment& cut, const CutMetrics& metrics,
                                    std::span<const Device> devices, const std::vector<std::vector<std::int64_t>>& devicesOfPart)
{
    std::vector<DeviceLoad> loads(devices.size(), DeviceLoad{.rule = graph.rule});
    std::unordered_map<std::int64_t, std::size_t> byId;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        loads[i].capacity = capacityOf(devices[i]);
        byId.emplace(devices[i].logicalId, i);
    }
    for (std::size_t part = 0; part < std::min(metrics.parts.size(), devicesOfPart.size()); ++part)
        for (const std::int64_t id : devicesOfPart[part])
            if (const auto device = byId.find(id); device != byId.end())
                addPart(metrics.parts[part], part, loads[device->second]);
    const std::vector<std::int32_t> partOf = partsOfCalls(graph, cut);
    const std::vector<std::int32_t> forward = forwardTags(cut.order);
    const auto isOneStage = [&](const DeviceLoad& load) { return differentStages(forward, load.parts).size() <= 1; };
    if (graph.rule == MemoryRule::freesDead)
        holdStagesOnce(graph, partOf, forward, loads);
    for (DeviceLoad& load : loads)
        if (load.parts.size() > 1 && (graph.rule == MemoryRule::keepsAll || !isOneStage(load)))
            holdAsOne(graph, partOf, load);
    return loads;
}

std::vector<std::optional<std::uint64_t>> torchCounts(std::span<const Device> devices, std::span<const PartitionDagNode> dag)
{
    std::unordered_map<std::int64_t, std::size_t> byId;
    for (std::size_t i = 0; i < devices.size(); ++i)
        byId.emplace(devices[i].logicalId, i);
    std::vector<std::optional<std::uint64_t>> counts(devices.size());
    for (const PartitionDagNode& part : dag)
        for (const std::int64_t id : part.devices)
            if (const auto device = byId.find(id); device != byId.end())
                counts[device->second] = counts[device->second].value_or(0) + part.usedBytes;
    return counts;
}

std::vector<std::vector<std::int64_t>> devicesInOrder(const CutMetrics& metrics, std::span<const Device> devices)
{
    std::vector<std::vector<std::int64_t>> places(metrics.parts.size());
    std::vector<InternedString> names;
    for (const PartMetrics& part : metrics.parts)
        names.push_back(part.name);
    const std::vector<std::int32_t> forward = forwardTags(names);
    const auto isWithForward = [&](std::size_t part) {
        return forward[part] >= 0 && metrics.parts[static_cast<std::size_t>(forward[part])].sizes.ops > 0;
    };
    std::size_t next = 0;
    for (std::size_t part = 0; part < places.size(); ++part)
        if (metrics.parts[part].sizes.ops > 0 && !isWithForward(part) && next < devices.size())
            places[part] = {devices[next++].logicalId};
    for (std::size_t part = 0; part < places.size(); ++part)
        if (metrics.parts[part].sizes.ops > 0 && isWithForward(part))
            places[part] = places[static_cast<std::size_t>(forward[part])];
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
