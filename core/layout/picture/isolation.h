#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_index.h"
#include "layout/picture/picture_values.h"

#include <vector>

namespace sunder {

/// The outside items that edges connect with an item. A frame counts like a closed item, with the edges of all nested items.
struct ItemNeighbors {
    std::vector<ItemId> inputs; ///< closed items at the start of incoming edges, distinct, in picture order
    std::vector<ItemId> readers; ///< closed items at the end of outgoing edges, likewise
    std::vector<const Chip*> alsoRead; ///< chips for values of items that are not inputs, with distinct texts
};

/// Returns the neighbors of an item. O(edges and chips of the item) for a closed item; for a frame O(items × depth + edges and
/// chips of the nested items).
ItemNeighbors neighborsOf(const ScenePicture& scene, ItemId item);

} // namespace sunder

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
