#include "layout/layered/coordinate_y.h"

#include <algorithm>
#include <cmath>

namespace sunder::layered {

namespace {

constexpr double kSlope = 0.08;      ///< minimum space below a rank, per horizontal length of an edge in it
constexpr double kMaxRoom = 3;      ///< maximum of that space, in multiples of rankGap
constexpr double kMuchTaller = 2.5;  ///< in a rank that is taller than a box by this factor, the box is not centered

/// Returns the longest horizontal distance of an edge below each rank.
std::vector<double> longestShifts(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x,
                                  const Ports& ports)
{
    std::vector<double> shift(layering.rankCount(), 0);
    const auto note = [&](Index rank, double from, double to) { shift[rank] = std::max(shift[rank], std::abs(from - to)); };
    for (Index a = 0; a < graph.arcs.size(); ++a) {
        const Arc& arc = graph.arcs[a];
        const Index upper = layering.rankOf[arc.from];
        const Index lower = layering.rankOf[arc.to];
        for (Index e = ports.firstEdge[a]; e < ports.firstEdge[a + 1]; ++e) {
            if (lower == upper + 1)
                note(upper, ports.leave[e], ports.arrive[e]);
            else if (!layering.isDetour[a]) {
                note(upper, ports.leave[e], x[layering.laneOfBox[arc.from]]);
                note(lower - 1, x[layering.laneVertex(arc.from, lower - 1)], ports.arrive[e]);
            }
        }
    }
    return shift;
}

} // namespace

Bands placeDown(const FlowGraph& graph, const Layering& layering, const std::vector<double>& x, const Ports& ports,
                const LayoutOptions& options)
{
    const std::vector<double> shift = longestShifts(graph, layering, x, ports);
    std::vector<double> height(layering.rankCount(), 0);
    for (Index box = 0; box < layering.boxCount; ++box) {
        double& tallest = height[layering.rankOf[box]];
        tallest = std::max(tallest, double{graph.boxes[box].size.height});
    }
    Bands bands;
    double y = 0;
    for (Index r = 0; r < layering.rankCount(); ++r) {
        bands.top.push_back(y);
        bands.bottom.push_back(y + height[r]);
        const double gap = double{options.rankGap};
        y += height[r] + std::floor(std::clamp(shift[r] * kSlope, gap, gap * kMaxRoom) + 0.5);
    }
    bands.boxTop.resize(layering.boxCount);
    for (Index box = 0; box < layering.boxCount; ++box) {
        const Index r = layering.rankOf[box];
        const double room = height[r] - double{graph.boxes[box].size.height};
        double share = 0.5;
        if (height[r] > kMuchTaller * double{graph.boxes[box].size.height})
            share = graph.inStart[box] == graph.inStart[box + 1] ? 1 : 0;
        bands.boxTop[box] = bands.top[r] + std::floor(room * share);
    }
    return bands;
}

} // namespace sunder::layered
