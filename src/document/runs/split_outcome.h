#pragma once

#include "analysis/partition_dag.h"
#include "analysis/tag_assignment.h"
#include "document/runs/outcome.h"
#include "document/runs/partition_request.h"
#include "passes/partition/partition_set.h"
#include "passes/split_by_tags/split_by_tags.h"
#include "passes/split_result.h"

#include <memory>
#include <optional>

namespace sunder {

/// What a partitioner adds to a cut.
struct PartitionPlan {
    PartitionRequest request;
    PartitionSet set;
    std::vector<PartitionDagNode> dag; ///< in order of execution
};

/// The model cut into parts, by tags or over devices.
struct SplitOutcome : Outcome {
    SplitResult split;
    TagAssignment tags;                     ///< the cut: parts as tags of the source, those it was made from where it was made from tags
    SplitOptions options = {};              ///< of a cut by tags
    std::optional<PartitionPlan> plan = {}; ///< of a cut over devices
};

using SplitOutcomePtr = std::shared_ptr<const SplitOutcome>;

} // namespace sunder
