#pragma once

#include "layout/layered/layered_graph.h"
#include "layout/layered/layered_lanes.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder::layered {

/// Vertices of neighboring ranks that share their x, i.e. straight pieces of the drawing.
struct Blocks {
    std::vector<Index> blockOf; ///< per vertex
    Index count = 0;
    Index mainBlock = kNone; ///< the block with most of the main path
};

/// Returns the vertices of the heaviest path from source to sink, including lanes. Among equally heavy paths it takes the middle
/// one, so that branches surround it.
std::vector<Index> mainPath(const Layering& layering);

/// Joins vertices to blocks along segments: at most one segment above and one below each vertex, and no two that cross. The main
/// path comes first, then lanes, then the other segments by weight and by distance from the middle of their fans. A
/// simplification of the alignment by Brandes and Köpf (2002) that prefers the segments most important to the reader.
Blocks alignBlocks(const Layering& layering, const std::vector<Index>& mainPath);

/// The constraint x[right] ≥ x[left] + gap.
struct Separation {
    Index left = 0;
    Index right = 0;
    double gap = 0;
};

/// Places variables close to their desired positions under acyclic separation constraints. Adds the variables from left to right
/// to clusters that move as one ("satisfy" of VPSC; Dwyer, Marriott, Stuckey 2006), repeats this from right to left, and returns
/// the mean of both. The mean is feasible because the constraints are convex. The result is close to the weighted least-squares
/// optimum, but not exact. O(n log² n) for n separations.
class SeparationSolver {
public:
    SeparationSolver(Index count, std::vector<Separation> separations);

    /// Returns positions for the desired positions `wish`; weights must be positive. Fails only when canceled.
    [[nodiscard]] Result<std::vector<double>> place(std::span<const double> wish, std::span<const double> weight,
                                                    ProgressMonitor& monitor) const;

private:
    Index m_count;
    std::vector<Separation> m_separations; ///< at most one per pair
    std::vector<Index> m_order;            ///< variables from left to right
};

} // namespace sunder::layered
