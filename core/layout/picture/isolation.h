#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

namespace sunder::collapse {

/// The remaining items of a picture before layout.
struct Isolated {
    Collapsed items;
    ValueFlow flow;
};

/// Keeps only the items that show `wanted`, their neighbors by edge or chip, and all enclosing frames. `picture` has items and
/// `itemOf`, and loses the other items; frames then represent only the items they still show. O(items + edges + nodes).
Isolated isolate(const std::vector<NodeId>& wanted, const Collapsed& items, const ValueFlow& flow, Picture& picture);

} // namespace sunder::collapse
