#pragma once

#include "layout/layered/layered_graph.h"

namespace sunder::layered {

/// Shortens arcs by network simplex (Gansner et al. 1993), starting from ranks of a connected graph with all arcs downwards. The
/// new ranks begin at 0. They are used only if they save at least a twentieth of the total length, because the original ranks
/// look better. Graphs with more than some thousand boxes stay unchanged. The work is bounded, O(boxes + arcs) per step.
void shortenArcs(const FlowGraph& graph, std::vector<Index>& rank);

} // namespace sunder::layered
