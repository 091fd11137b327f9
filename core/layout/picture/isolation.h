#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

namespace sunder::collapse {

/// The rest of a picture, before its layout.
struct Isolated {
    Collapsed items;
    ValueFlow flow;
};

/// Leaves the items that show `wanted`, those that give them values or take values from them, by an edge or by a chip, and the
/// frames around all of these. `picture` has items and `itemOf`, and loses the others; frames stand for what they still show.
/// O(items + edges + nodes).
Isolated isolate(const std::vector<NodeId>& wanted, const Collapsed& items, const ValueFlow& flow, Picture& picture);

} // namespace sunder::collapse
