#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"

namespace sunder::layered {

/// Where edges touch borders, as x. An edge is addressed by firstEdge[arc] + copy.
struct Ports {
    std::vector<Index> firstEdge; ///< per arc, and the total
    std::vector<double> leave;    ///< per edge: at the lower border of its source
    std::vector<double> arrive;   ///< per edge: at the upper border of its target
};

/// Spreads the ends of edges along the borders of boxes: in the order of their other ends, so that they do not cross;
/// straight ones at the centre; the others as near to straight as their distance allows. Edges that share a lane
/// share the port at its start. Ends early, with whatever is there, when cancelled. O(edges log edges).
Ports spreadPorts(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, ProgressMonitor& monitor);

} // namespace sunder::layered
