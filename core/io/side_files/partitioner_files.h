#pragma once

#include "analysis/partitioner_config.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Reads a DEVICES.json of `docs/command-line.md`: [{"name":"dev0","available_mem_bytes":125,"logical_id":3}, …]. Without a
/// "logical_id" a device has its place in the list. "speed", "bandwidth_bytes_per_s", "memory_bandwidth_bytes_per_s", "flops_per_s", "color" and "source" may be there; other
/// keys are kept as they are. At most 256 MB and 1,000,000 devices.
/// Refuses, naming file and member: values of the wrong type, a missing memory, a logical id twice. Linear.
Result<std::vector<Device>> readDevicesFile(const std::string& path);
/// The same for a text at hand; errors name `nameForMessages`.
Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages);

/// The devices as such a file, a line each, so that readDevicesFile() gives the same devices back.
std::string devicesFileText(const std::vector<Device>& devices);
/// Writes that text, or nothing.
Result<void> writeDevicesFile(const std::vector<Device>& devices, const std::string& path);

/// Reads a CONFIG.json for today's partitioner: "mode", "devices", and where the mode needs them "saturate_host",
/// "transfer_rate_bytes_per_sec", "node_to_latency" (name → [memory, compute] in seconds), "node_to_partition",
/// "partition_to_logical_devices". Limits and refusals as for devices; keys keep the file's order.
Result<PartitionerConfig> readPartitionerConfig(const std::string& path);
/// The same for a text at hand; errors name `nameForMessages`.
Result<PartitionerConfig> parsePartitionerConfig(std::string_view text, const std::string& nameForMessages);
/// The configuration as such a file, so that parsePartitionerConfig() gives the same back.
std::string partitionerConfigText(const PartitionerConfig& config);

} // namespace sunder
