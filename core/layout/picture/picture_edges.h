#pragma once

#include "analysis/values_between.h"
#include "ir/graph.h"
#include "layout/picture/scene_picture.h"

#include <optional>

namespace sunder {

/// What an edge of any picture of a graph is known by: a value that it carries and a node that reads it. Both lie where the
/// graph has them, whatever is open.
struct EdgeEnds {
    NodeId value;
    NodeId reader;
    friend bool operator==(const EdgeEnds&, const EdgeEnds&) = default;
};

/// What an edge carries, value by value. The picture is one of this graph. O(users of the values).
std::vector<ValueBetween> carriedBy(const Graph& graph, const Picture& picture, const PictureEdge& edge);

/// The edge that carries this value to what shows the reader now; -1 where none does: both lie in one item, or a chip
/// stands for it. O(edges into that item).
std::int64_t edgeWith(const ScenePicture& scene, const EdgeEnds& ends);

/// Edges at an item, as one steps through them: those into it, then those out of it, each from left to right by where
/// their other end lies. O(n log n) in them.
std::vector<std::uint32_t> edgesAt(const ScenePicture& scene, ItemId item);

/// The cut edges that a chip of the item stands for; none for chips of other kinds. O(edges at the item).
std::vector<std::uint32_t> cutEdgesOf(const ScenePicture& scene, ItemId item, const Chip& chip);

} // namespace sunder
