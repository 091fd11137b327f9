#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Reads the DEVICES.json of `docs/command-line.md`: [{"name":"dev0","available_mem_bytes":125,"logical_id":3}, …]. The default
/// "logical_id" is the position in the list. Optional: "speed", "bandwidth_bytes_per_s", "memory_bandwidth_bytes_per_s",
/// "flops_per_s", "color", and "source"; other keys are kept. At most 256 MB and 1,000,000 devices. Rejected, naming file and
/// member: values of the wrong type, a missing memory size, duplicate logical ids. Linear.
Result<std::vector<Device>> readDevicesFile(const std::string& path);
/// The same for a text in memory; errors name `nameForMessages`.
Result<std::vector<Device>> parseDevicesFile(std::string_view text, const std::string& nameForMessages);

/// Returns the text of such a file, one device per line. readDevicesFile() returns the same devices.
std::string devicesFileText(const std::vector<Device>& devices);
/// Writes that text; the file is replaced atomically.
Result<void> writeDevicesFile(const std::vector<Device>& devices, const std::string& path);

/// Reads the CONFIG.json of the current partitioner, whose keys are partitionerKeys(). Limits and errors as for devices; keys keep
/// their order in the file.
Result<PartitionerConfig> readPartitionerConfig(const std::string& path);
/// The same for a text in memory; errors name `nameForMessages`.
Result<PartitionerConfig> parsePartitionerConfig(std::string_view text, const std::string& nameForMessages);
/// Returns the text of such a file. parsePartitionerConfig() returns the same configuration.
std::string partitionerConfigText(const PartitionerConfig& config);

} // namespace sunder
