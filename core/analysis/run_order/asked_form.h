#pragma once

#include "ir/graph.h"

namespace sunder {

/// Whether a call is Python's `getattr(x, "shape")` or asks for another attribute that tells the form of a tensor: a number, a
/// shape, a type or a device, in no memory of the tensor, whatever this holds and whatever autocast or grad mode is. O(1).
bool asksForm(const Node& node);

} // namespace sunder
