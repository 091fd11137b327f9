#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// Reads the CONFIG.json of the current partitioner, whose keys are partitionerKeys(). Limits and errors as for devices; keys keep
/// their order in the file.
Result<PartitionerConfig> readPartitionerConfig(const std::string& path);
/// The same for a text in memory; errors name `nameForMessages`.
Result<PartitionerConfig> parsePartitionerConfig(std::string_view text, const std::string& nameForMessages);
/// Returns the text of such a file. parsePartitionerConfig() returns the same configuration.
std::string partitionerConfigText(const PartitionerConfig& config);

} // namespace sunder
