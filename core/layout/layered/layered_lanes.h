#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// A dependency between neighboring ranks.
struct Segment {
    Index upper = 0; ///< vertex
    Index lower = 0;
    float weight = 1;
};

/// A FlowGraph in ranks. Long arcs run through lanes, which are chains of dummy vertices, one per rank. Vertices below boxCount
/// are boxes; the others are dummies. All long arcs from one box share a lane and branch off it, like wires of one signal in a
/// circuit diagram. Therefore a value with thousands of consumers stays linear.
struct Layering {
    Index boxCount = 0;
    std::vector<Index> rankOf;    ///< per vertex
    std::vector<Segment> segments; ///< sorted by upper, then lower
    std::vector<Index> downStart; ///< segments below vertex v: downStart[v] … downStart[v + 1]
    std::vector<Index> upStart;   ///< indices into upSegments, likewise
    std::vector<Index> upSegments;
    std::vector<Index> rankStart; ///< vertices of rank r: order[rankStart[r]] … order[rankStart[r + 1]]
    std::vector<Index> order;     ///< from left to right within a rank
    std::vector<Index> position;  ///< per vertex: index within its rank
    std::vector<Index> laneOfBox; ///< first dummy of the lane that the box's long arcs share; kNone: no lane
    std::vector<bool> isDetour;   ///< per arc: too long for a lane, drawn around the whole part

    [[nodiscard]] bool isDummy(Index vertex) const { return vertex >= boxCount; }
    /// Returns the cost factor of a segment; a crossing costs the product of both factors. Lane segments cost more because lanes
    /// should be straight and be crossed near their ends (as in Gansner et al. 1993).
    [[nodiscard]] Index crossingCost(const Segment& s) const { return isDummy(s.upper) && isDummy(s.lower) ? 3 : 1; }
    [[nodiscard]] Index rankCount() const { return static_cast<Index>(rankStart.size() - 1); }
    [[nodiscard]] Index vertexCount() const { return static_cast<Index>(rankOf.size()); }
    [[nodiscard]] Index widthOf(Index rank) const { return rankStart[rank + 1] - rankStart[rank]; }
    /// True if the lane of the dummy `vertex` has another dummy below it.
    [[nodiscard]] bool isLaneContinued(Index vertex) const
    {
        // Targets are sorted, so dummies follow all boxes.
        return downStart[vertex] < downStart[vertex + 1] && isDummy(segments[downStart[vertex + 1] - 1].lower);
    }
    /// The dummy of the lane of `box` in `rank`.
    [[nodiscard]] Index laneVertex(Index box, Index rank) const { return laneOfBox[box] + (rank - rankOf[laneOfBox[box]]); }
};

/// Creates the lanes; each rank is ordered by vertex. Lanes are created shortest first, within a total budget that is linear in
/// the graph. Long arcs of the remaining boxes become detours.
Layering makeLanes(const FlowGraph& graph, const std::vector<Index>& ranks);

/// Computes position from order.
void indexPositions(Layering& layering);

} // namespace sunder::layered
