#pragma once

#include "models/inspection.h"

#include <span>
#include <vector>

namespace sunder {

/// Returns the costs of these nodes of the source as lines of the inspector: floating-point operations, bytes, intensity, and
/// seconds with their origin, as shares of the model. While they are counted, a line says so; after a failure, it offers to count
/// again. Empty for nodes without costs. O(nodes).
std::vector<Property> costLines(const Document& document, std::span<const NodeId> nodes);

/// Lets the line of a tag unfold to the memory of its part: the peak with its op, memory while each op runs as bars, weights, inputs,
/// activations, and extra bytes. Until it is measured, a line says so. Nothing without a tag or without `memories`.
void addMemoryLines(const Document& document, int tag, const PartMemories* memories, Property& line);

} // namespace sunder
