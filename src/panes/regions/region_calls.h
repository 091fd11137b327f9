#pragma once

#include "analysis/stand_ins.h"
#include "document/runs/regions_outcome.h"

namespace sunder {

/// The calls in the main graph of a deduplicated model, each with the occurrence that it runs; none of a model that was not.
std::vector<StandIn> regionCalls(const RegionsOutcome& outcome);

} // namespace sunder
