#pragma once

#include "analysis/device.h"
#include "support/interned_string.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// How today's partitioner of torch.fx goes about it.
enum class PartitionMode : std::uint8_t { sizeBased, sparseNn, costAware, klBased, aotBased };

/// As torch and CONFIG.json write it: "size_based".
std::string_view name(PartitionMode mode);
/// The mode of that name; nothing for another text.
std::optional<PartitionMode> partitionModeOf(std::string_view name);

/// Seconds that a node takes for moving its data and for computing; the longer one counts.
struct NodeLatency {
    double memory = 0;
    double compute = 0;
};

/// What today's partitioner is asked for. Which tables a mode needs: see `docs/command-line.md`, "CONFIG.json".
struct PartitionerConfig {
    PartitionMode mode = PartitionMode::sizeBased;
    bool saturateHost = false; ///< replicates the partitions onto idle devices
    std::vector<Device> devices = {};
    double transferBytesPerSecond = 0; ///< between devices
    std::vector<std::pair<InternedString, NodeLatency>> latencies = {};          ///< by node name
    std::vector<std::pair<InternedString, std::int64_t>> nodeToPartition = {};   ///< for aotBased, in this order
    std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> partitionToDevices = {}; ///< logical ids
};

} // namespace sunder
