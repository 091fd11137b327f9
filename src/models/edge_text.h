#pragma once

#include "ir/program.h"
#include "models/inspection.h"

namespace sunder {

/// Describes an edge for the tooltip: its tensor with shape, dtype, and bytes, both ends, and the number of other consumers; for
/// several values their sum and the first ones. Bytes use the program's assumed sizes.
QString edgeCard(const Program& program, GraphId graph, const std::vector<ValueBetween>& values);

/// Returns the same for copying: all values, and names in full.
QString edgeLines(const Program& program, GraphId graph, const std::vector<ValueBetween>& values);

/// Returns the same as lines; values and both ends link to their nodes.
std::vector<Property> edgeProperties(const Program& program, const SelectedEdge& edge);

} // namespace sunder
