#pragma once

#include "layout/picture/scene_picture.h"

#include <vector>

namespace sunder {

/// The items outside of an item that edges connect it with. A frame counts as if it were closed, with the edges of all items inside.
struct ItemNeighbors {
    std::vector<ItemId> inputs; ///< closed items that edges come from, in order of the picture, without repetitions
    std::vector<ItemId> readers; ///< closed items that edges lead to, likewise
    std::vector<const Chip*> alsoRead; ///< chips for values of items that are no inputs, each text once
};

/// O(edges and chips of the item) for a closed item; for a frame O(items × depth + edges and chips of the items inside).
ItemNeighbors neighborsOf(const ScenePicture& scene, ItemId item);

} // namespace sunder
