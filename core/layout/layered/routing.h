#pragma once

#include "layout/layered/coordinate_y.h"

namespace sunder::layered {

/// Draws every edge of a part, addressed as in Ports: vertical within ranks, with smooth curves between them that begin and end
/// vertically. Curves between the same two ranks have one shape, so that curves in the same order at both ends do not touch.
/// Detours run around the right side. `right` is the right end of boxes and lanes; it grows with the detours.
Result<std::vector<BezierPath>> routeEdges(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                           const Ports& ports, const Bands& bands, const LayoutOptions& options, double& right,
                                           ProgressMonitor& monitor);

/// A small loop on the right of a box, from its bottom to its top.
BezierPath routeLoop(const BoxGraph::Box& box, Point center);

} // namespace sunder::layered
