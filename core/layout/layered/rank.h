#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// Shortens arcs by network simplex (Gansner et al. 1993), starting from ranks of a connected graph with all arcs downward. The
/// new ranks begin at 0. They are used only if they save at least a twentieth of the total length, because the original ranks
/// look better. Graphs with more than some thousand boxes stay unchanged. The work is bounded, O(boxes + arcs) per step.
void shortenArcs(const FlowGraph& graph, std::vector<Index>& rank);

/// Returns a rank for every box, from 0 without gaps, such that every arc leads to a greater rank. The longest path determines
/// the number of ranks. Boxes with slack are placed to reduce the weighted sum of arc lengths: sources and their exclusive users
/// move down to their consumers. Linear, with a bounded number of passes. Not always optimal, unlike network simplex (Gansner et
/// al. 1993).
std::vector<Index> assignRanks(const FlowGraph& graph);

/// Renumbers ranks so that none is unused.
void closeGaps(std::vector<Index>& rank);

/// Measures of a graph for the choice between layout engines.
struct RankFigures {
    std::uint64_t boxes = 0;
    std::uint64_t dummies = 0; ///< sum over edges of (rank span - 1)
    std::uint64_t fan = 0;     ///< maximum number of edges on one side of a box
};

/// Ranks the graph and measures it. Linear.
RankFigures measureRanks(const BoxGraph& graph);

} // namespace sunder::layered
