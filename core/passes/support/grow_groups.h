#pragma once

#include "passes/support/support_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct GrowOptions {
    bool isHorizontal = true; ///< merges with any group, not only with those of the users
    bool isExact = false; ///< finds every cycle; otherwise as PyTorch, which misses some
};

/// Grows groups of supported ops as torch.fx's CapabilityBasedPartitioner does. Returns the group of every position, or
/// SupportParts::kNone. `isSupported` per position. Fails only with ErrorCode::cancelled.
///
/// O((nodes + edges) × nodes / 64) for typical models; memory O(groups × nodes / 8) bytes.
Result<std::vector<std::uint32_t>> growGroups(const SupportGraph& graph, const std::vector<char>& isSupported,
                                              const GrowOptions& options, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
