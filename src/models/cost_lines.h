#pragma once

#include "models/inspection.h"

#include <span>
#include <vector>

namespace sunder {

/// Returns the costs of these nodes of the source as lines of the inspector: floating-point operations, bytes, intensity, and
/// seconds with their origin, as shares of the model. While they are counted, a line says so; after a failure, it offers to count
/// again. Empty for nodes without costs. O(nodes).
std::vector<Property> costLines(const Document& document, std::span<const NodeId> nodes);

} // namespace sunder
