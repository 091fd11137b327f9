#pragma once

#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

namespace sunder::layered {

/// The x where edges touch the borders of boxes. An edge has the index firstEdge[arc] + copy.
struct Ports {
    std::vector<Index> firstEdge; ///< per arc, plus the total
    std::vector<double> leave;    ///< per edge: at the bottom of its source
    std::vector<double> arrive;   ///< per edge: at the top of its target
};

/// Spreads the ends of edges along the borders of boxes, in the order of their other ends, so that they do not cross. Straight
/// edges are at the center, the others as close to straight as their distances allow. Edges in the same lane share the port at
/// its start. Fails only when canceled. O(edges log edges).
Result<Ports> spreadPorts(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                          ProgressMonitor& monitor);

/// The y range of each rank and the positions of boxes in it.
struct Bands {
    std::vector<double> top;    ///< per rank
    std::vector<double> bottom; ///< per rank; free space up to the next top
    std::vector<double> boxTop; ///< per box
};

/// Stacks the ranks. The space between two ranks grows with the horizontal distance of its edges, so that they do not become too
/// flat.
Bands placeDown(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports,
                const LayoutOptions& options);

} // namespace sunder::layered
