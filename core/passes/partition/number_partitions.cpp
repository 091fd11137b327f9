#include "passes/partition/number_partitions.h"

#include "passes/partition/partition_links.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

void sortNodes(std::vector<NodeId>& nodes, const std::vector<std::uint32_t>& position)
{
    const auto before = [&](NodeId a, NodeId b) { return position[a.index()] < position[b.index()]; };
    if (!std::is_sorted(nodes.begin(), nodes.end(), before))
        std::sort(nodes.begin(), nodes.end(), before);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

std::uint32_t placeOfFirstCall(const Graph& graph, const std::vector<NodeId>& nodes, const std::vector<std::uint32_t>& position)
{
    const auto first = std::find_if(nodes.begin(), nodes.end(), [&](NodeId id) { return graph[id].isCall(); });
    return first != nodes.end() ? position[first->index()] : PartitionSet::kNone;
}

} // namespace

PartitionSet numberPartitions(const Graph& graph, std::vector<UnnumberedPartition> partitions, std::vector<std::uint32_t>* order)
{
    const std::vector<std::uint32_t> position = graph.positions();
    std::vector<std::uint32_t> place;
    for (UnnumberedPartition& partition : partitions) {
        sortNodes(partition.nodes, position);
        place.push_back(placeOfFirstCall(graph, partition.nodes, position));
    }
    std::vector<std::uint32_t> byPlace(partitions.size());
    std::iota(byPlace.begin(), byPlace.end(), 0U);
    std::stable_sort(byPlace.begin(), byPlace.end(), [&](auto a, auto b) { return place[a] < place[b]; });

    PartitionSet set{.partitions = {}, .partitionOf = std::vector<std::uint32_t>(graph.idBound(), PartitionSet::kNone)};
    std::vector<std::vector<NodeId>> members;
    if (order != nullptr)
        order->resize(partitions.size());
    for (const std::uint32_t from : byPlace) {
        const auto index = static_cast<std::uint32_t>(set.partitions.size());
        UnnumberedPartition& partition = partitions[from];
        if (order != nullptr)
            (*order)[from] = index;
        for (const NodeId id : partition.nodes)
            if (graph[id].isCall())
                set.partitionOf[id.index()] = index;
        members.push_back(std::move(partition.nodes));
        set.partitions.push_back({.id = index,
                                  .usedBytes = partition.usedBytes,
                                  .devices = std::move(partition.devices),
                                  .origin = std::move(partition.origin)});
    }
    PartitionLinks links = partitionLinks(graph, members);
    for (std::size_t i = 0; i < members.size(); ++i) {
        set.partitions[i].nodes = std::move(members[i]);
        set.partitions[i].parents = std::move(links.parents[i]);
        set.partitions[i].children = std::move(links.children[i]);
    }
    return set;
}

} // namespace sunder
