#pragma once

#include "analysis/training/training_graph.h"
#include "passes/partition/partition_set.h"

#include <string>

namespace sunder {

/// Returns a warning with advice if a partitioner, which ignores the forward/backward distinction, separates the passes of a
/// joint program: the number of backward calls that share no device with their forward call. Empty if there are none, and for
/// other programs. O(nodes).
std::string separateForwardBackward(const TrainingGraph& training, const PartitionSet& set);

} // namespace sunder
