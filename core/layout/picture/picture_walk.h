#pragma once

#include "layout/picture/scene_picture.h"

namespace sunder {

enum class WalkDirection : std::uint8_t { producer, consumer, before, behind, first, last };

/// Where an arrow key leads from an item: up the flow to the producer and down it to the consumer that lie nearest, across
/// it to the neighbours of its rank (before: to the left, or upwards where edges flow to the right). Where the graph ends, the nearest item in that direction of the picture. Invalid when
/// there is nothing further. From no item: the first one. O(items) at worst.
ItemId walk(const ScenePicture& scene, ItemId from, WalkDirection direction);

/// Items at the other ends of an item's edges, each once, nearest across the flow first.
std::vector<ItemId> producersOf(const ScenePicture& scene, ItemId item);
std::vector<ItemId> consumersOf(const ScenePicture& scene, ItemId item);

} // namespace sunder
