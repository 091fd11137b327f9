// Memory that equal devices need to hold a model evenly: the default for users who have not specified devices. Finds the least
// memory with which next-fit filling needs no more than the given number of devices, by bisection. Larger devices rarely need
// more of them, and the returned size has always been tested.

#include "passes/partition/device_setup.h"

#include "analysis/training/backward_tags.h"
#include "passes/partition/open_partition.h"
#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

/// Returns the number of devices of `bytes` each that the calls fill; more than `most` if it is exceeded or a call does not fit.
std::uint32_t devicesNeeded(const Graph& graph, const NodeSizes& sizes, std::uint64_t bytes, std::uint32_t most)
{
    OpenPartition filling(graph, sizes);
    std::uint32_t devices = 1;
    std::uint64_t left = bytes;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        std::uint64_t need = filling.need(id);
        if (need > left) {
            if (++devices > most)
                return devices;
            filling.open();
            left = bytes;
            need = filling.need(id);
            if (need > left)
                return most + 1;
        }
        filling.add(id);
        left -= need;
    }
    return devices;
}

std::uint64_t roundedUp(std::uint64_t bytes)
{
    std::uint64_t unit = 1;
    while (bytes / unit >= 1000)
        unit *= 10;
    return (bytes + unit - 1) / unit * unit;
}

/// Returns the device index of each tag; the forward and backward tags of a stage share one. −1: tag without calls.
std::vector<std::int64_t> placesOfTags(const TagAssignment& tags, const std::vector<std::size_t>& calls)
{
    const std::vector<std::int32_t> forward = forwardTags(tags.order);
    std::vector<std::int64_t> places(tags.order.size(), -1);
    std::int64_t next = 0;
    const auto isWithForward = [&](std::size_t tag) {
        return forward[tag] >= 0 && calls[static_cast<std::size_t>(forward[tag])] > 0;
    };
    for (std::size_t tag = 0; tag < places.size(); ++tag)
        if (calls[tag] > 0 && !isWithForward(tag))
            places[tag] = next++;
    for (std::size_t tag = 0; tag < places.size(); ++tag)
        if (calls[tag] > 0 && isWithForward(tag))
            places[tag] = places[static_cast<std::size_t>(forward[tag])];
    return places;
}

} // namespace

Result<std::uint64_t> evenDeviceBytes(const Program& program, std::uint32_t count, ProgressMonitor& monitor)
{
    const Graph& graph = program.rootGraph();
    const auto nodes = graph.nodes();
    if (count < 2 || std::none_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); }))
        return fail(ErrorCode::refused, "nothing to distribute: at least two devices and a graph with ops are needed");
    SUNDER_TRY(const NodeSizes sizes, nodeSizes(program));
    SUNDER_TRY(const std::uint64_t whole, wholeBytes(program, sizes));
    std::uint64_t tooSmall = whole / count > 0 ? whole / count - 1 : 0;
    std::uint64_t enough = whole > 0 ? whole - 1 : 0; // the whole model would fit on one device
    if (devicesNeeded(graph, sizes, enough, count) > count)
        return fail(ErrorCode::refused,
                    "the model cannot be distributed over " + formatCount(count)
                        + " equal devices: in each cut, one device needs as much as the whole model, " + formatBytes(whole));
    while (enough - tooSmall > 1) {
        SUNDER_PROPAGATE(monitor.check());
        const std::uint64_t middle = tooSmall + (enough - tooSmall) / 2;
        (devicesNeeded(graph, sizes, middle, count) > count ? tooSmall : enough) = middle;
    }
    const std::uint64_t round = roundedUp(enough);
    return round < whole && devicesNeeded(graph, sizes, round, count) <= count ? round : enough;
}

Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config)
{
    std::vector<std::int64_t> partitionOf(tags.order.size(), -1); // tags without calls have no partition
    std::vector<std::size_t> calls(tags.order.size(), 0);
    std::size_t untagged = 0;
    for (const NodeId id : graph.nodes()) {
        if (!graph[id].isCall())
            continue;
        const std::int32_t tag = tags[id];
        if (tag < 0)
            ++untagged;
        else
            ++calls[static_cast<std::size_t>(tag)];
    }
    if (untagged > 0)
        return fail(ErrorCode::refused,
                    formatCount(untagged, "op") + (untagged == 1 ? " has" : " have")
                        + " no tag; tag all ops first or choose another method");
    std::int64_t partitions = 0;
    for (std::size_t tag = 0; tag < calls.size(); ++tag)
        if (calls[tag] > 0)
            partitionOf[tag] = partitions++;
    const std::vector<std::int64_t> placeOf = placesOfTags(tags, calls);
    const std::int64_t places = placeOf.empty() ? 0 : *std::ranges::max_element(placeOf) + 1;
    if (static_cast<std::size_t>(places) > config.devices.size())
        return fail(ErrorCode::refused,
                    formatCount(static_cast<std::uint64_t>(places), places == partitions ? "tag" : "stage") + " but only "
                        + formatCount(config.devices.size(), "device") + "; add devices or merge tags");
    config.nodeToPartition.clear();
    config.partitionToDevices.clear();
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall())
            config.nodeToPartition.emplace_back(graph[id].name, partitionOf[static_cast<std::size_t>(tags[id])]);
    for (std::size_t tag = 0; tag < placeOf.size(); ++tag)
        if (partitionOf[tag] >= 0)
            config.partitionToDevices.push_back(
                {partitionOf[tag], {config.devices[static_cast<std::size_t>(placeOf[tag])].logicalId}});
    return {};
}

} // namespace sunder
