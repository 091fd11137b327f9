#include "analysis/partition_assignment.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::array<std::pair<PartitionMode, std::string_view>, 5> kModes = {{{PartitionMode::sizeBased, "size_based"},
                                                                               {PartitionMode::sparseNn, "sparse_nn"},
                                                                               {PartitionMode::costAware, "cost_aware"},
                                                                               {PartitionMode::klBased, "kl_based"},
                                                                               {PartitionMode::aotBased, "aot_based"}}};

} // namespace

std::string_view name(PartitionMode mode)
{
    return std::find_if(kModes.begin(), kModes.end(), [&](const auto& entry) { return entry.first == mode; })->second;
}

std::optional<PartitionMode> partitionModeOf(std::string_view text)
{
    const auto found = std::find_if(kModes.begin(), kModes.end(), [&](const auto& entry) { return entry.second == text; });
    return found != kModes.end() ? std::optional(found->first) : std::nullopt;
}

PartitionAssignment assignPartitions(const Graph& graph, std::span<const PartitionPair> pairs)
{
    PartitionAssignment partitions = PartitionAssignment::noneOf(graph);
    std::unordered_map<InternedString, std::uint32_t> indices;
    const NodeIndex nodes(graph);
    for (const auto& [name, id] : pairs) {
        const NodeId node = nodes.find(name);
        if (!node) {
            partitions.unknownNodes.emplace_back(name, id);
            continue;
        }
        const auto [at, isNew] = indices.emplace(id.text, static_cast<std::uint32_t>(partitions.ids.size()));
        if (isNew)
            partitions.ids.push_back(id);
        else if (!id.number)
            partitions.ids[at->second].number.reset();
        partitions.partitionOf[node.index()] = at->second;
    }
    return partitions;
}

} // namespace sunder
