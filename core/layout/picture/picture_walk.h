#pragma once

#include "layout/picture/picture_index.h"

namespace sunder {

enum class WalkDirection : std::uint8_t { producer, consumer, before, behind, first, last };

/// Returns the target of an arrow key from an item. Up and down the flow it is the nearest producer or consumer; across the flow
/// it is a neighbor of the same rank (before: to the left, or upward if edges flow to the right). At the end of the graph it is
/// the nearest item in that direction. Invalid if there is none. If `from` is invalid: the first item. O(items) in the worst
/// case.
ItemId walk(const ScenePicture& scene, ItemId from, WalkDirection direction);

/// Returns the items at the other ends of an item's edges, distinct, nearest across the flow first.
std::vector<ItemId> producersOf(const ScenePicture& scene, ItemId item);
std::vector<ItemId> consumersOf(const ScenePicture& scene, ItemId item);

} // namespace sunder
