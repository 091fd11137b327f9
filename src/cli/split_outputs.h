#pragma once

#include "analysis/partition_dag.h"
#include "cli/command.h"
#include "parts/export_parts.h"
#include "passes/split_result.h"

#include <vector>

namespace sunder::cli {

/// Adds the options of a command that cuts a graph into submodules: -o, --copies, --fqn-map, --parts, --dag, --cost, --unproven,
/// --no-verify.
void declareSplitOutputs(QCommandLineParser& parser);

/// What --parts-format says; ErrorCode::usage for another word.
Result<PartFormat> partFormat(const Invocation& invocation);

/// Refuses a command line that asks for no result at all.
Result<void> checkSplitOutputs(const Invocation& invocation);

/// Verifies a split against its source and writes what the options ask for: the graph, for a look even when it is not
/// proven, the map of names, the DAG, the parts. `dag` is the one that the pass made; without one it is worked out
/// from the split.
Result<Outcome> deliverSplit(const Invocation& invocation, const Program& source, const SplitResult& split,
                             const std::vector<PartitionDagNode>* dag = nullptr);

} // namespace sunder::cli
