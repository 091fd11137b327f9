#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// A dependency between neighbouring ranks.
struct Segment {
    Index upper = 0; ///< vertex
    Index lower = 0;
    float weight = 1;
};

/// A FlowGraph in ranks whose long arcs run through lanes: chains of dummy vertices, one a rank. Vertices below
/// boxCount are the boxes, the others dummies. All long arcs that leave one box share a lane and branch off it, as
/// wires of one signal do in a circuit diagram; that also keeps a value with thousands of readers linear.
struct Layering {
    Index boxCount = 0;
    std::vector<Index> rankOf;    ///< per vertex
    std::vector<Segment> segments; ///< sorted by upper, then lower
    std::vector<Index> downStart; ///< segments below vertex v: downStart[v] … downStart[v + 1]
    std::vector<Index> upStart;   ///< positions in upSegments, in the same manner
    std::vector<Index> upSegments;
    std::vector<Index> rankStart; ///< vertices of rank r: order[rankStart[r]] … order[rankStart[r + 1]]
    std::vector<Index> order;     ///< from left to right within a rank
    std::vector<Index> position;  ///< per vertex, within its rank
    std::vector<Index> laneOfBox; ///< first dummy of the lane that a box's long arcs share; kNone: it has none
    std::vector<bool> isDetour;   ///< per arc: too long for a lane of its own, drawn around everything

    [[nodiscard]] bool isDummy(Index vertex) const { return vertex >= boxCount; }
    /// What a crossing of this segment costs, times the same of the other: lanes are to run straight, so that they
    /// are crossed at their ends rather than on their way (as in Gansner et al. 1993).
    [[nodiscard]] Index crossingCost(const Segment& s) const { return isDummy(s.upper) && isDummy(s.lower) ? 3 : 1; }
    [[nodiscard]] Index rankCount() const { return static_cast<Index>(rankStart.size() - 1); }
    [[nodiscard]] Index vertexCount() const { return static_cast<Index>(rankOf.size()); }
    [[nodiscard]] Index widthOf(Index rank) const { return rankStart[rank + 1] - rankStart[rank]; }
    /// Whether dummy `vertex` has the next one of its lane below it.
    [[nodiscard]] bool isLaneContinued(Index vertex) const
    {
        // Targets are sorted: a dummy comes after all boxes.
        return downStart[vertex] < downStart[vertex + 1] && isDummy(segments[downStart[vertex + 1] - 1].lower);
    }
    /// The dummy of `box`'s lane in `rank`.
    [[nodiscard]] Index laneVertex(Index box, Index rank) const { return laneOfBox[box] + (rank - rankOf[laneOfBox[box]]); }
};

/// Makes the lanes; the order within ranks is by vertex. Lanes are given as long as all of them together stay within
/// a budget linear in the graph, shortest first; arcs of the others are detours.
Layering makeLanes(const FlowGraph& graph, const std::vector<Index>& ranks);

/// Sets position from order.
void indexPositions(Layering& layering);

} // namespace sunder::layered
