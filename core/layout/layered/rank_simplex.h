#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// Shortens arcs by network simplex (Gansner et al. 1993) from ranks that let every arc of a connected graph run downwards.
/// Takes the ranks over, which begin at 0, where that saves a twentieth of all length: what is nearly as short stays as it is,
/// for the sake of its looks. Nothing happens to graphs of more than some thousand boxes; work is bounded, O(boxes + arcs) a step.
void shortenArcs(const FlowGraph& graph, std::vector<Index>& rank);

} // namespace sunder::layered
