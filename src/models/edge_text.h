#pragma once

#include "ir/program.h"
#include "models/inspection.h"

namespace sunder {

/// What is said of an edge where the mouse is: its tensor with shape, dtype and bytes, both ends and how many read it elsewhere; of
/// several the sum and the first ones. Bytes are by the sizes that the program's symbols are taken to have.
QString edgeCard(const Program& program, GraphId graph, const std::vector<ValueBetween>& values);

/// The same to copy: all values, and names as long as they are.
QString edgeLines(const Program& program, GraphId graph, const std::vector<ValueBetween>& values);

/// The same in lines; values and both ends lead to their nodes.
std::vector<Property> edgeProperties(const Program& program, const SelectedEdge& edge);

} // namespace sunder
