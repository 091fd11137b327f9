#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// A rank for every box such that every arc goes to a greater rank, from 0 without gaps. The longest path decides the
/// number of ranks; boxes with slack go where the weighted sum of arc lengths gets small: sources and what only hangs
/// on them down to their consumers. Linear for a bounded number of passes; not always the optimum that network
/// simplex (Gansner et al. 1993) would find.
std::vector<Index> assignRanks(const FlowGraph& graph);

/// Renames ranks so that none in between is unused.
void closeGaps(std::vector<Index>& rank);

/// What decides between layout engines.
struct RankFigures {
    std::uint64_t boxes = 0;
    std::uint64_t dummies = 0; ///< sum over edges of (rank span - 1)
    std::uint64_t fan = 0;     ///< most edges at one side of a box
};

/// Ranks the graph and counts. Linear.
RankFigures measureRanks(const BoxGraph& graph);

} // namespace sunder::layered
