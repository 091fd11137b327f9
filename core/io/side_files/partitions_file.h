#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Reads the PARTITIONS.json of `docs/command-line.md`, {"linear":0,"add":"head"}, of at most 256 MB. Rejected, naming file and
/// key: partitions other than whole numbers and texts, duplicate keys. Linear.
Result<std::vector<PartitionPair>> readPartitionsFile(const std::string& path);

/// Returns the partition of each call of the graph from such a file. Rejects names that are not in the graph, because a
/// misspelled name would otherwise be ignored silently.
Result<PartitionAssignment> readPartitionsOf(const Graph& graph, const std::string& path);

/// The same for a text in memory; errors name `nameForMessages`.
Result<std::vector<PartitionPair>> parsePartitionsFile(std::string_view text, const std::string& nameForMessages);

} // namespace sunder
