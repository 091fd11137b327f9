#pragma once

#include "passes/split_result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// Returns the call of each part in the main graph; invalid for a part without a call. O(main graph + parts).
std::vector<NodeId> callsOfParts(const SplitResult& split);

/// Returns, per node of the graph of `part` (−1: the main graph), the index of its part, for display. In a part, every call
/// belongs to it. In the main graph, these are the call of a part and the getitems of its results. All other nodes get
/// TagAssignment::kTakesNoTag. O(graph).
std::vector<std::int32_t> partTableOf(const SplitResult& split, int part);

} // namespace sunder
