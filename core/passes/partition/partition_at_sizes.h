#pragma once

#include "passes/partition/partition_result.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Outcome of re-evaluating a partitioning for other sizes than it was made for.
struct PartitionAtSizes {
    bool isSameCut = true; ///< the partitioner would produce the same partitioning for these sizes
    std::string why = {};  ///< its refusal, if it would produce none
};

/// Recomputes the bytes of a partitioning for the current sizes of `source`; the partitions do not change. `source` is the
/// partitioned program with other size hints. `again`: the partitioner's result or refusal for these sizes. If it is the same
/// partitioning, its figures are used; otherwise torch's account of the members, in which unknown sizes count as 0. O(members +
/// arguments).
PartitionAtSizes takeFigures(const Program& source, Result<PartitionResult> again, PartitionSet& set,
                             std::vector<PartitionDagNode>& dag);

} // namespace sunder
