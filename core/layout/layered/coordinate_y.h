#pragma once

#include "layout/layered/routing_ports.h"

namespace sunder::layered {

/// The band of y that each rank takes, and where boxes lie in it.
struct Bands {
    std::vector<double> top;    ///< per rank
    std::vector<double> bottom; ///< per rank; free room until the next top
    std::vector<double> boxTop; ///< per box
};

/// Stacks the ranks. Room between two ranks grows with how far edges in it run sideways, so that they do not get flat.
Bands placeDown(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports,
                const LayoutOptions& options);

} // namespace sunder::layered
