#pragma once

#include "passes/support/support_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Sets of nodes that the splitter keeps in one part, since values without tensors pass between them.
struct FusionGroups {
    std::vector<std::vector<std::uint32_t>> groups; ///< positions, ascending
    std::vector<std::uint32_t> groupOf;             ///< per position; SupportParts::kNone. Groups of PyTorch can share nodes
    std::vector<std::uint32_t> entered; ///< positions in a group, in the order in which they first entered one
};

/// Finds the fusion groups of PyTorch's splitter. Removes the nodes of a group that is not wholly on the accelerator from it.
Result<FusionGroups> fusionGroups(const SupportGraph& graph, std::vector<char>& isAccelerator, ProgressMonitor& monitor);

/// The same, but joins groups that share a node or depend on each other, so that every group can be placed as a single step.
Result<FusionGroups> joinedFusionGroups(const SupportGraph& graph, std::vector<char>& isAccelerator, ProgressMonitor& monitor);

} // namespace sunder
