#pragma once

#include "analysis/partition_dag.h"
#include "io/side_files/figure_basis.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// The parts of a split as a DAG.json of `docs/command-line.md`, a line a part in order of execution:
/// {"nodes":[{"submodule":"submod_0","inputs":["a"],"outputs":["getitem"],"devices":[0],"used_mem_bytes":112}, …]}, and behind the nodes
/// what the bytes rest on.
std::string partitionDagJson(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis);

/// Writes that text; the file appears whole or not at all.
Result<void> writePartitionDag(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis, const std::string& path);

} // namespace sunder
