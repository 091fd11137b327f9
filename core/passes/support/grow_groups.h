#pragma once

#include "passes/support/support_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct GrowOptions {
    bool isHorizontal = true; ///< merges with any group, not only with those of the users
    bool isExact = false; ///< finds every cycle; otherwise as PyTorch, which misses some
};

/// Grows groups of supported ops as torch.fx's CapabilityBasedPartitioner does, for several sets of supported ops: `variants`, each per
/// position. Returns for each the group of every position, or SupportParts::kNone. Variants share the work from the end of the graph
/// up to the last op on which they differ. Fails only with ErrorCode::cancelled.
///
/// O(variants × (nodes + edges) × nodes / 64) for typical models; memory O(log variants × groups × nodes / 8) bytes.
Result<std::vector<std::vector<std::uint32_t>>> growGroups(const SupportGraph& graph, std::span<const std::vector<char>> variants,
                                                           const GrowOptions& options,
                                                           ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
