#pragma once

#include "passes/partition/partition_result.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// How a cut over devices stands at other sizes than those that it was made for.
struct PartitionAtSizes {
    bool isSameCut = true; ///< the partitioner would make the same one of these sizes
    std::string why = {};  ///< where it would make none: its refusal
};

/// Works the figures of a cut out again, in bytes, for the sizes that `source` has now; what is cut where stays. `again`: what the
/// partitioner makes, or refuses, at these sizes; where it is the same cut its own account is taken, else torch's account of the
/// members, in which a size that nobody knows is 0. `source` is the program that was cut, with other hints. O(members + arguments).
PartitionAtSizes takeFigures(const Program& source, Result<PartitionResult> again, PartitionSet& set,
                             std::vector<PartitionDagNode>& dag);

} // namespace sunder
