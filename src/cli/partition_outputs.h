#pragma once

#include "cli/command.h"
#include "passes/partition/partition_result.h"
#include "support/result.h"

#include <span>
#include <string>

namespace sunder::cli {

/// Writes a RESULT.json (format: `docs/command-line.md`): partitions with nodes, bytes, and devices, the partitions of each node,
/// and latencies if known. Atomic.
Result<void> writePartitionResult(const Program& source, const PartitionResult& result, const std::string& path);

/// Adds one line per partition (name, calls, memory, devices) and the reasons for the cut; in JSON, `reasons` also contains those
/// of each partition and device.
void sayPartitions(const Program& source, const PartitionResult& result, std::span<const Device> devices, Outcome& outcome);

} // namespace sunder::cli
