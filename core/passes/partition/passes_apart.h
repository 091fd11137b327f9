#pragma once

#include "analysis/training/training_graph.h"
#include "passes/partition/partition_set.h"

#include <string>

namespace sunder {

/// What a partitioner, which knows nothing of passes, does to a joint forward and backward program, as a sentence with what to do: how many
/// backward calls are on no device of their forward call. Empty where all are, and of other programs. O(nodes).
std::string passesApart(const TrainingGraph& training, const PartitionSet& set);

} // namespace sunder
