#pragma once

#include "analysis/tag_assignment.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct SplitOptions {
    bool returnTuple = false;   ///< a part with one result returns a tuple of one
    bool keepSignature = false; ///< inputs keep their `*`, `**` and default values, which torch loses
};

/// Splits the root graph into one submodule a tag, node for node as torch.fx's split_by_tags does: names, metas,
/// placeholders, attributes, module tree and all. Refuses, as PyTorch does, a call without a tag, a tag that is not
/// in the order, a tag order that runs against an edge, and tags that cannot name a module; each with node and tags
/// in its message. Nested graphs of control flow and the modules that a part calls travel with it.
/// O(nodes + arguments + tensors + modules).
Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
