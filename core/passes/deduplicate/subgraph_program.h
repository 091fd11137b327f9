#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_program.h"

namespace sunder {

/// Returns a shared subgraph as a separate program for display, with the ids that it has in the result. Inputs for which the
/// first call passes parameters, buffers or constants get a signature entry with that name, so that weights fold into the ops
/// that read them, as in the source. Inputs take over the stack traces of the passed values. `nodes` is empty. O(result + inputs
/// × calls).
RegionProgram subgraphProgram(const DedupResult& result, const SharedSubgraph& subgraph);

} // namespace sunder
