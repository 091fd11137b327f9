#pragma once

#include "layout/layered/routing_ports.h"

namespace sunder::layered {

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
