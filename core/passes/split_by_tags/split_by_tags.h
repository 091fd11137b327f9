#pragma once

#include "analysis/tag_assignment.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder {

struct SplitOptions {
    bool returnTuple = false;   ///< parts with one result return a tuple with one item
    bool keepSignature = false; ///< keep `*`, `**` and default values of inputs, which PyTorch drops
};

/// Splits the root graph into one submodule per tag. Equals the result of torch.fx's split_by_tags node for node: names,
/// metadata, placeholders, attributes and module tree. Like PyTorch, refuses a call without a tag, a tag that is not in the
/// order, an edge against the tag order, and tags that are not valid module names; messages contain node and tags. Nested graphs
/// of control flow and called modules are copied with their part. O(nodes + arguments + tensors + modules).
Result<SplitResult> splitByTags(const Program& source, const TagAssignment& tags, const SplitOptions& options = {},
                                ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
