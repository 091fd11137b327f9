#pragma once

#include "layout/picture/scene_picture.h"

namespace sunder {

enum class WalkDirection : std::uint8_t { producer, consumer, left, right, first, last };

/// Where an arrow key leads from an item: up to the producer and down to the consumer that lie nearest, sideways to
/// the neighbours of its rank. Where the graph ends, the nearest item in that direction of the picture. Invalid when
/// there is nothing further. From no item: the first one. O(items) at worst.
ItemId walk(const ScenePicture& scene, ItemId from, WalkDirection direction);

/// Items at the other ends of an item's edges, each once, nearest in x first.
std::vector<ItemId> producersOf(const ScenePicture& scene, ItemId item);
std::vector<ItemId> consumersOf(const ScenePicture& scene, ItemId item);

} // namespace sunder
