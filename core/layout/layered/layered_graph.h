#pragma once

#include "layout/box_layout.h"

#include <cstdint>
#include <vector>

/// The steps of the layered engine (Sugiyama, Tagawa, Toda 1981): free functions over the structures of this file.
namespace sunder::layered {

using Index = std::uint32_t;
inline constexpr Index kNone = 0xffffffffU;

/// All parallel edges between two boxes. There are no self-loops and no cycles: edges that would close a cycle are reversed.
struct Arc {
    Index from = 0;
    Index to = 0;
    float weight = 1; ///< of its heaviest edge
    Index edges = 1;  ///< number of edges of the BoxGraph
};

/// A connected acyclic graph over boxes.
struct FlowGraph {
    std::vector<BoxGraph::Box> boxes;
    std::vector<Arc> arcs;       ///< sorted by from, then to
    std::vector<Index> outStart; ///< arcs that leave box b: outStart[b] … outStart[b + 1]
    std::vector<Index> inStart;  ///< indices into inArcs, likewise
    std::vector<Index> inArcs;
    std::vector<Index> topological; ///< all boxes, producers first; ties by index
};

/// The position of an edge of the BoxGraph in the parts.
struct EdgePlace {
    Index part = kNone; ///< kNone: a self-loop
    Index arc = 0;      ///< within its part
    Index copy = 0;     ///< index among the edges of the arc
    bool reversed = false;
};

/// A BoxGraph divided into connected acyclic parts, in order of their first boxes.
struct Parts {
    std::vector<FlowGraph> graphs;
    std::vector<std::vector<Index>> boxes; ///< per part: index of each box in the BoxGraph, ascending
    std::vector<EdgePlace> edges;          ///< per edge of the BoxGraph
};

/// Divides a graph into its parts. Linear except for one sort of the edges. Independent of the edge order.
Parts connectedParts(const BoxGraph& graph);

/// Computes outStart, inStart, inArcs, and topological from boxes and sorted arcs.
void indexArcs(FlowGraph& graph);

} // namespace sunder::layered
