#pragma once

#include "analysis/partition_assignment.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <string>

namespace sunder {

struct SplitModuleOptions {
    bool keepOriginalOrder = false;     ///< call partitions in the order in which they appear in the source
    bool keepOriginalNodeNames = false; ///< copies keep the names of the source nodes
    bool tupleReturn = false;           ///< partitions with one output return a tuple with one item
    bool keepSignature = false; ///< keep `*` and `**` of inputs, which PyTorch drops with keepOriginalNodeNames
    bool dropOriginalInputNames = false; ///< name the inputs of parts arg_0, arg_1, …
    std::optional<std::string> partitionAffix = {}; ///< name parts submod_<affix>_<id>
};

/// torch.fx's split_module: splits the root graph into one submodule "submod_<id>" per partition. Equals PyTorch's result node for
/// node, even if in-place writes are reordered or two modules get one name. Such results are not equivalent, which verification
/// reports. Parts and their names are in call order; fqnMap contains every new path of a called module.
///
/// Refuses, naming nodes and partitions: a call without a partition; cyclic partitions; with keepOriginalOrder, a partition
/// called before its inputs are computed; regions of autocast or grad mode that are never closed, or whose partitions are not in
/// ascending order. O(nodes + arguments + nodes of the result).
Result<SplitResult> splitModule(const Program& source, const PartitionAssignment& partitions,
                                const SplitModuleOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
