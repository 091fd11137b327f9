#include "passes/partition/tagged_devices.h"

#include "support/format.h"

namespace sunder {

Result<void> putTagsOnDevices(const Graph& graph, const TagAssignment& tags, PartitionerConfig& config)
{
    std::vector<std::int64_t> partitionOf(tags.order.size(), -1); // tags that no call bears make no partition
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
                        + " no tag: paint everything first, or choose another method");
    std::int64_t partitions = 0;
    for (std::size_t tag = 0; tag < calls.size(); ++tag)
        if (calls[tag] > 0)
            partitionOf[tag] = partitions++;
    if (static_cast<std::size_t>(partitions) > config.devices.size())
        return fail(ErrorCode::refused,
                    formatCount(static_cast<std::uint64_t>(partitions), "tag") + " but only "
                        + formatCount(config.devices.size(), "device") + ": add devices or merge tags");
    config.nodeToPartition.clear();
    config.partitionToDevices.clear();
    for (const NodeId id : graph.nodes())
        if (graph[id].isCall())
            config.nodeToPartition.emplace_back(graph[id].name, partitionOf[static_cast<std::size_t>(tags[id])]);
    for (std::int64_t i = 0; i < partitions; ++i)
        config.partitionToDevices.push_back({i, {config.devices[static_cast<std::size_t>(i)].logicalId}});
    return {};
}

} // namespace sunder
