#pragma once

#include "analysis/partition_dag.h"
#include "io/side_files/figure_basis.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Returns the parts of a split as the DAG.json of `docs/command-line.md`, one part per line in execution order:
/// {"nodes":[{"submodule":"submod_0","inputs":["a"],"outputs":["getitem"],"devices":[0],"used_mem_bytes":112}, …]}. The basis of
/// the sizes follows the nodes.
std::string partitionDagJson(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis);

/// Writes the file, which is replaced atomically.
Result<void> writePartitionDag(const std::vector<PartitionDagNode>& dag, const FigureBasis& basis, const std::string& path);

} // namespace sunder
