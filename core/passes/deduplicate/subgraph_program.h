#pragma once

#include "passes/deduplicate/dedup_result.h"
#include "passes/regions/region_program.h"

namespace sunder {

/// A shared subgraph as a program of its own, for drawing it, with the ids that it has in the result. What its first
/// call passes from parameters, buffers and constants of the model is called so in a signature: weights fold into the
/// ops that read them, as they do in the source. Inputs get the stack traces of what is passed, which have names for it.
/// `nodes` stays empty. O(result + inputs × calls).
RegionProgram subgraphProgram(const DedupResult& result, const SharedSubgraph& subgraph);

} // namespace sunder
