#pragma once

#include "analysis/tag_assignment.h"
#include "passes/move_non_tensor/move_non_tensor.h"

#include <span>

namespace sunder {

struct MoveByTagsOptions {
    /// Tags of parts for an accelerator, whose nodes alone are moved; none: all are.
    std::vector<InternedString> accelerators = {};
    TensorTelling telling = TensorTelling::byType;
};

struct MoveByTagsResult {
    TagAssignment tags;        ///< after the moves
    MoveNonTensorResult moves; ///< subgraph i is the tag i
};

/// moveNonTensorNodes() on tags: the calls of a tag are a subgraph, and a node that moves takes the tag of where it goes.
/// Tags of other nodes stay. Refuses accelerators that are no tags. Cost as there.
Result<MoveByTagsResult> moveNonTensorByTags(const Graph& graph, const TagAssignment& tags, const MoveByTagsOptions& options = {},
                                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
