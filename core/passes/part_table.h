#pragma once

#include "passes/split_result.h"

#include <cstdint>
#include <vector>

namespace sunder {

/// The call of each part in the main graph; invalid for one that is not called. O(main graph + parts).
std::vector<NodeId> callsOfParts(const SplitResult& split);

/// Per node of a part's graph, or of the main graph for −1, the part that it belongs to, for whoever draws it: in a part all calls to
/// that; in the main graph the call of a part and the getitems that read it. Others TagAssignment::kTakesNoTag. O(graph).
std::vector<std::int32_t> partTableOf(const SplitResult& split, int part);

} // namespace sunder
