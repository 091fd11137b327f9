#include "tagging/device_fit.h"

#include "analysis/cut/part_measure.h"
#include "analysis/training/backward_tags.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace sunder {
namespace {

constexpr int kTries = 5;
constexpr double kMoreThanLacking = 1.15; ///< the next attempt moves the previous excess times this factor in addition

/// Returns the number of calls, from one end of a part, whose weights that no other call of the part reads add up to `bytes`. If
/// weights are not sufficient, the share of calls that `bytes` is of `used`.
std::size_t callsWith(const CutGraph& graph, std::span<const std::uint32_t> calls, double bytes, double used)
{
    std::vector<std::uint32_t> left(graph.memoryBytes.size(), 0); // remaining readers in the part
    for (const std::uint32_t call : calls) {
        for (const std::uint32_t memory : graph.memories[call])
            ++left[memory];
    }
    double moved = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        for (const std::uint32_t memory : graph.memories[calls[i]])
            moved += --left[memory] == 0 ? static_cast<double>(graph.memoryBytes[memory]) : 0;
        if (moved >= bytes)
            return i + 1;
    }
    return static_cast<std::size_t>(std::ceil(static_cast<double>(calls.size()) * std::min(1.0, bytes / used)));
}

const DeviceLoad* loadOf(const std::vector<DeviceLoad>& loads, std::int32_t part)
{
    for (const DeviceLoad& load : loads)
        if (std::find(load.parts.begin(), load.parts.end(), part) != load.parts.end())
            return &load;
    return nullptr;
}

} // namespace

DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices)
{
    DeviceFit fit{.devices = std::move(devices), .graph = std::move(graph), .cut = std::move(cut)};
    fit.metrics = cutMetrics(*fit.graph, fit.cut);
    fit.loads = deviceLoads(*fit.graph, fit.cut, fit.metrics, fit.devices, devicesInOrder(fit.metrics, fit.devices));
    return fit;
}

DeviceFit deviceFit(std::shared_ptr<const CutGraph> graph, TagAssignment cut, std::vector<Device> devices,
                    std::span<const PartitionDagNode> dag)
{
    DeviceFit fit{.devices = std::move(devices), .graph = std::move(graph), .cut = std::move(cut), .isOfTags = false};
    fit.metrics = cutMetrics(*fit.graph, fit.cut);
    fit.loads = deviceLoads(*fit.graph, fit.cut, fit.metrics, fit.devices, devicesOfParts(fit.metrics, dag));
    fit.torchCounts = torchCounts(fit.devices, dag);
    return fit;
}

std::vector<DeviceLoad> loadsAfter(const DeviceFit& fit, std::span<const TagChange> changes)
{
    const CutGraph& graph = *fit.graph;
    std::vector<std::int32_t> partOf = partsOfCalls(graph, fit.cut);
    std::vector<std::uint8_t> isTouched(fit.cut.order.size(), 0);
    const auto touch = [&isTouched](std::int32_t part) {
        if (part >= 0)
            isTouched[static_cast<std::size_t>(part)] = 1;
    };
    for (const auto& [id, tag] : changes) {
        std::int32_t& part = partOf[graph.valueOf[id.index()]];
        touch(part);
        touch(tag);
        part = tag;
    }
    const Rows calls = callsOfParts(partOf, isTouched.size());
    const bool hasStages = std::ranges::any_of(forwardTags(fit.cut.order), [](std::int32_t tag) { return tag >= 0; });
    for (std::size_t part = 0; part < isTouched.size(); ++part) {
        const bool hadNone = fit.metrics.parts[part].sizes.ops == 0;
        if (hadNone != calls[part].empty() || hasStages) { // parts change their devices
            TagAssignment cut = fit.cut;
            for (const auto& [id, tag] : changes)
                cut.tagOf[id.index()] = tag;
            return deviceFit(fit.graph, std::move(cut), fit.devices).loads;
        }
    }
    PartMeasure measure(graph, partOf);
    std::vector<DeviceLoad> loads = fit.loads;
    for (DeviceLoad& load : loads)
        for (const std::int32_t part : load.parts) {
            if (isTouched[static_cast<std::size_t>(part)] == 0)
                continue;
            const PartSizes& old = fit.metrics.parts[static_cast<std::size_t>(part)].sizes;
            PartSizes now = measure.measure(part, calls[static_cast<std::size_t>(part)]).sizes;
            now.duplicatedBytes = old.duplicatedBytes;
            (load.sizes += now) -= old;
        }
    return loads;
}

std::vector<NodeId> movedToFit(const DeviceFit& fit, std::int32_t from, std::int32_t to)
{
    const DeviceLoad* load = loadOf(fit.loads, from);
    if (load == nullptr)
        return {};
    const Rows byPart = callsOfParts(partsOfCalls(*fit.graph, fit.cut), fit.cut.order.size());
    std::vector<std::uint32_t> calls(byPart[static_cast<std::size_t>(from)].begin(),
                                     byPart[static_cast<std::size_t>(from)].end());
    if (to > from)
        std::reverse(calls.begin(), calls.end()); // calls next to the boundary first
    auto wanted = static_cast<double>(load->overflowBytes());
    for (int attempt = 0; attempt < kTries; ++attempt) {
        const std::size_t count = std::max<std::size_t>(
            callsWith(*fit.graph, calls, wanted, static_cast<double>(load->usedBytes())), static_cast<std::size_t>(attempt) + 1);
        if (count >= calls.size())
            return {};
        std::vector<NodeId> moved;
        std::vector<TagChange> changes;
        for (const std::uint32_t call : std::span(calls).first(count)) {
            moved.push_back(fit.graph->nodes[call]);
            changes.emplace_back(moved.back(), to);
        }
        const std::vector<DeviceLoad> after = loadsAfter(fit, changes);
        const DeviceLoad* source = loadOf(after, from);
        const DeviceLoad* target = loadOf(after, to);
        if (target != nullptr && target->overflowBytes() > 0)
            return {};
        if (source == nullptr || source->overflowBytes() == 0)
            return moved;
        wanted += static_cast<double>(source->overflowBytes()) * kMoreThanLacking;
    }
    return {};
}

} // namespace sunder
