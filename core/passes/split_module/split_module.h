#pragma once

#include "analysis/partition_assignment.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <optional>
#include <string>

namespace sunder {

struct SplitModuleOptions {
    bool keepOriginalOrder = false;     ///< calls partitions in the order in which they appear in the source
    bool keepOriginalNodeNames = false; ///< copies keep the names of their sources
    bool tupleReturn = false;           ///< a partition with one output returns a tuple of one
    bool keepSignature = false; ///< inputs keep their `*` and `**`, which torch loses with keepOriginalNodeNames
    bool dropOriginalInputNames = false; ///< names inputs of a part arg_0, arg_1, …
    std::optional<std::string> partitionAffix = {}; ///< names parts submod_<affix>_<id>
};

/// torch.fx's split_module: cuts the root graph into one submodule "submod_<id>" a partition. Equal to torch's result
/// node for node, where writes in place end up in another order or two modules get one name included: those results
/// compute something else, and the verifier says so. Parts and their names are in the order of their calls; fqnMap
/// holds every new path of a called module.
/// Refuses, naming nodes and partitions: a call without a partition, partitions that depend on each other, with
/// keepOriginalOrder one that is called before what it needs, regions of autocast or grad mode that are left open or
/// whose partitions do not come in ascending order of their numbers. O(nodes + arguments + nodes of the result).
Result<SplitResult> splitModule(const Program& source, const PartitionAssignment& partitions,
                                const SplitModuleOptions& options = {}, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
