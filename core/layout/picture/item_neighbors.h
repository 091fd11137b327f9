#pragma once

#include "layout/picture/scene_picture.h"

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
