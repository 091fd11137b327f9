#pragma once

#include "models/inspection.h"

#include "document/weight_readings.h"

#include <vector>

namespace sunder {

/// Returns a line for each weight that a source node uses: its name and, below it, dtype, shape, memory, the statistics available
/// in `readings`, and actions. At most 200.
std::vector<Property> weightLines(const Snapshot& snapshot, NodeId id, const WeightReadings& readings);

} // namespace sunder
