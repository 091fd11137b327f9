#pragma once

#include "ir/graph.h"

namespace sunder {

/// Returns whether a call is Python's `getattr(x, "shape")` or a query for similar attributes: a number, shape, dtype or device.
/// The result shares no memory with the tensor and does not depend on its contents, autocast, or grad mode. O(1).
bool asksForm(const Node& node);

} // namespace sunder
