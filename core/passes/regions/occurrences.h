#pragma once

#include "analysis/fill/fill.h"
#include "passes/regions/region_result.h"

namespace sunder {

/// Converts regions to the lookup table of the fill tool. `nodes`: size of a table indexed by NodeId. O(nodes + nodes in
/// regions).
OccurrenceTable occurrencesOf(const RegionResult& regions, std::size_t nodes);

} // namespace sunder
