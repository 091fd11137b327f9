#pragma once

#include "layout/picture/scene_picture.h"

#include <vector>

namespace sunder {

/// What an item is connected with outside of it. Of a frame: what anything inside is connected with, as if it were closed.
struct ItemNeighbors {
    std::vector<ItemId> inputs;  ///< closed items that edges come from, each once, in order of the picture
    std::vector<ItemId> readers; ///< closed items that edges lead to, likewise
    std::vector<const Chip*> alsoRead; ///< chips for values of items that are no inputs, each text once
};

/// O(edges and chips of the item) for a closed item; for a frame O(items × depth) and those of what is inside.
ItemNeighbors neighborsOf(const ScenePicture& scene, ItemId item);

} // namespace sunder
