#pragma once

#include "layout/box_layout.h"

#include <cstdint>
#include <vector>

/// The parts of the layered engine (Sugiyama, Tagawa, Toda 1981): free functions over the structures of this file.
namespace sunder::layered {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffU;

/// The box that stands for all that are joined with this one, where each knows the next towards it; ways get shorter.
inline Index rootOf(std::vector<Index>& parent, Index box)
{
    while (parent[box] != box) {
        parent[box] = parent[parent[box]];
        box = parent[box];
    }
    return box;
}

/// All parallel edges between two boxes. Arcs have no loops and no cycles: edges that would close one are turned round.
struct Arc {
    Index from = 0;
    Index to = 0;
    float weight = 1; ///< of its heaviest edge
    Index edges = 1;  ///< how many edges of the BoxGraph it stands for
};

/// A connected acyclic graph over boxes.
struct FlowGraph {
    std::vector<BoxGraph::Box> boxes;
    std::vector<Arc> arcs;       ///< sorted by from, then to
    std::vector<Index> outStart; ///< arcs that leave box b: outStart[b] … outStart[b + 1]
    std::vector<Index> inStart;  ///< positions in inArcs, in the same manner
    std::vector<Index> inArcs;
    std::vector<Index> topological; ///< all boxes, producers first; ties by index
};

/// Where an edge of the BoxGraph went.
struct EdgePlace {
    Index part = kNone; ///< kNone: a loop
    Index arc = 0;      ///< within its part
    Index copy = 0;     ///< which of the arc's edges it is
    bool reversed = false;
};

/// A BoxGraph taken apart into connected acyclic parts, in order of their first boxes.
struct Parts {
    std::vector<FlowGraph> graphs;
    std::vector<std::vector<Index>> boxes; ///< per part: index of each box in the BoxGraph, ascending
    std::vector<EdgePlace> edges;          ///< per edge of the BoxGraph
};

/// Linear but for one sort of the edges. Does not depend on the order of edges.
Parts takeApart(const BoxGraph& graph);

/// Fills outStart, inStart, inArcs and topological from boxes and sorted arcs.
void indexArcs(FlowGraph& graph);

} // namespace sunder::layered
