#pragma once

#include "layout/layered/coordinate_y.h"

namespace sunder::layered {

/// Draws every edge of a part, addressed as in Ports: straight down within ranks, smooth curves with vertical ends
/// between them. Curves between two ranks share one shape, so that those in order at both ends do not touch. Detours
/// run around the right side. `right` is where the boxes and lanes end; it grows with the detours.
std::vector<BezierPath> routeEdges(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                   const Ports& ports, const Bands& bands, const LayoutOptions& options, double& right,
                                   ProgressMonitor& monitor);

/// A small loop at the right of a box, from its lower to its upper border.
BezierPath routeLoop(const BoxGraph::Box& box, Point center);

} // namespace sunder::layered
