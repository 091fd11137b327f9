#pragma once

#include "analysis/partition_dag.h"
#include "cli/command.h"
#include "parts/export_parts.h"
#include "passes/split_result.h"

#include <vector>

namespace sunder::cli {

/// The options shared by commands that cut a graph into submodules.
std::span<const CommandOption> splitOutputs();

/// The format that --parts-format requests.
PartFormat partFormat(const Invocation& invocation);

/// Refuses a command line that requests no result.
Result<void> checkSplitOutputs(const Invocation& invocation);

/// Verifies a split against its source and writes the requested outputs: the graph (for inspection, even if unproven), the name
/// map, the DAG, and the parts. `dag` is the one computed by the pass; without it, the DAG is derived from the split.
Result<Outcome> deliverSplit(const Invocation& invocation, const Program& source, const SplitResult& split,
                             const std::vector<PartitionDagNode>* dag = nullptr);

} // namespace sunder::cli
