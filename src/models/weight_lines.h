#pragma once

#include "models/inspection.h"

#include "document/weight_readings.h"

#include <vector>

namespace sunder {

/// A line for each weight that a node of the source reads: its name, below it dtype, shape, memory, statistics as far as `readings` has
/// them, and what can be done with it. At most 200.
std::vector<Property> weightLines(const Snapshot& snapshot, NodeId id, const WeightReadings& readings);

} // namespace sunder
