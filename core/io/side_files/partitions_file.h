#pragma once

#include "analysis/partition_assignment.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Reads a PARTITIONS.json of `docs/command-line.md`, {"linear":0,"add":"head"}, of at most 256 MB. Refuses, naming file and
/// key: partitions that are neither a whole number nor a text, keys that are there twice. Linear.
Result<std::vector<PartitionPair>> readPartitionsFile(const std::string& path);

/// Which call of the graph is in which partition, by such a file. Refuses names that are no nodes of the graph: most likely
/// they are misspelt, and their partitions would go unheard.
Result<PartitionAssignment> readPartitionsOf(const Graph& graph, const std::string& path);

/// The same for a text at hand; errors name `nameForMessages`.
Result<std::vector<PartitionPair>> parsePartitionsFile(std::string_view text, const std::string& nameForMessages);

} // namespace sunder
