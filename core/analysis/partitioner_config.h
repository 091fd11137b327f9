#pragma once

#include "analysis/device.h"
#include "support/interned_string.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace sunder {

/// The strategies of the current torch.fx partitioner.
enum class PartitionMode : std::uint8_t { sizeBased, sparseNn, costAware, klBased, aotBased };

/// Returns the name in torch and CONFIG.json: "size_based".
std::string_view name(PartitionMode mode);
/// Returns the mode with this name; nothing for any other text.
std::optional<PartitionMode> partitionModeOf(std::string_view name);

/// The time of a node in seconds, for moving its data and for computing. The longer one counts.
struct NodeLatency {
    double memory = 0;
    double compute = 0;
};

/// Configuration of the current torch.fx partitioner. For the tables that each mode requires, see `docs/command-line.md`,
/// "CONFIG.json".
struct PartitionerConfig {
    PartitionMode mode = PartitionMode::sizeBased;
    bool saturateHost = false; ///< replicate partitions on idle devices
    std::vector<Device> devices = {};
    double transferBytesPerSecond = 0; ///< between devices
    std::vector<std::pair<InternedString, NodeLatency>> latencies = {};          ///< by node name
    std::vector<std::pair<InternedString, std::int64_t>> nodeToPartition = {};   ///< for aotBased, in this order
    std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> partitionToDevices = {}; ///< logical ids
};

} // namespace sunder
