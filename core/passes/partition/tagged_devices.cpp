#include "passes/partition/tagged_devices.h"

#include "analysis/training/backward_tags.h"
#include "support/format.h"

#include <algorithm>

namespace sunder {
namespace {

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
