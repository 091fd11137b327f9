#pragma once

#include "analysis/tag_assignment.h"
#include "passes/move_non_tensor/move_non_tensor.h"

#include <span>

namespace sunder {

struct MoveByTagsOptions {
    /// Tags of parts that run on an accelerator; only their nodes move. Empty: all tags.
    std::vector<InternedString> accelerators = {};
    TensorTelling telling = TensorTelling::byType;
};

struct MoveByTagsResult {
    TagAssignment tags;        ///< after the moves
    MoveNonTensorResult moves; ///< subgraph i belongs to tag i
};

/// Runs moveNonTensorNodes() on tags: the calls of a tag form a subgraph, and a moved node gets the tag of its new subgraph. Tags
/// of other nodes do not change. Refuses accelerators that are not tags. Same complexity.
Result<MoveByTagsResult> moveNonTensorByTags(const Graph& graph, const TagAssignment& tags, const MoveByTagsOptions& options = {},
                                             ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
