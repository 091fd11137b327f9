#pragma once

#include "cli/command.h"
#include "passes/partition/partition_result.h"
#include "support/result.h"

#include <span>
#include <string>

namespace sunder::cli {

/// Writes a RESULT.json of `docs/command-line.md`: the partitions with their nodes, bytes and devices, the partitions of each
/// node, and latencies where they are known. Atomic.
Result<void> writePartitionResult(const Program& source, const PartitionResult& result, const std::string& path);

/// One line a partition for people: what it is called, calls, memory, devices. Then why the cut is as it is; in JSON under `reasons`,
/// with those of each partition and device.
void sayPartitions(const Program& source, const PartitionResult& result, std::span<const Device> devices, Outcome& outcome);

} // namespace sunder::cli
