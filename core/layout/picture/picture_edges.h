#pragma once

#include "analysis/values_between.h"
#include "ir/graph.h"
#include "layout/picture/picture_index.h"

#include <optional>

namespace sunder {

/// Identifies an edge in any picture of a graph, by a value that it carries and a node that reads it. Both are independent of
/// open modules.
struct EdgeEnds {
    NodeId value;
    NodeId reader;
    friend bool operator==(const EdgeEnds&, const EdgeEnds&) = default;
};

/// Returns the carried values of an edge one by one. `picture` must show `graph`. O(users of the values).
std::vector<ValueBetween> carriedBy(const Graph& graph, const Picture& picture, const PictureEdge& edge);

/// Returns the edge that currently carries this value to the item of the reader. -1 if there is none, because one item shows both
/// or a chip replaces the edge. O(edges into that item).
std::int64_t edgeWith(const ScenePicture& scene, const EdgeEnds& ends);

/// Returns the edges of an item in navigation order: incoming, then outgoing ones, each from left to right by their other end.
/// O(n log n) in these edges.
std::vector<std::uint32_t> edgesAt(const ScenePicture& scene, ItemId item);

/// Returns the cut edges that a chip of the item represents; none for chips of other kinds. O(edges of the item).
std::vector<std::uint32_t> cutEdgesOf(const ScenePicture& scene, ItemId item, const Chip& chip);

} // namespace sunder
