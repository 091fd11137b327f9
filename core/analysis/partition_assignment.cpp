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

constexpr PartitionerKey kKeys[] = {
    {"mode", "Strategy: size_based (default), sparse_nn, cost_aware, kl_based, or aot_based", &PartitionerConfig::mode},
    {"saturate_host", "Put replicas of the partitions on idle devices", &PartitionerConfig::saturateHost},
    {"transfer_rate_bytes_per_sec", "Between devices; required by cost_aware and kl_based",
     &PartitionerConfig::transferBytesPerSecond},
    {"devices", "As in DEVICES.json; required", &PartitionerConfig::devices},
    {"node_to_latency", "[memory, compute] in seconds, by node; required by cost_aware and kl_based",
     &PartitionerConfig::latencies},
    {"node_to_partition", "Number of the partition, by node; required by aot_based", &PartitionerConfig::nodeToPartition},
    {"partition_to_logical_devices", "Logical IDs of its devices, by partition; required by aot_based",
     &PartitionerConfig::partitionToDevices},
};

} // namespace

std::span<const PartitionerKey> partitionerKeys()
{
    return kKeys;
}

std::string partitionModeNames()
{
    std::string names;
    for (const auto& [mode, text] : kModes)
        names.append(mode == kModes.front().first ? "" : mode == kModes.back().first ? ", or " : ", ").append(text);
    return names;
}

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
