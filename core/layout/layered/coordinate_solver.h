#pragma once

#include "layout/layered/layered_graph.h"
#include "support/progress_monitor.h"

#include <span>

namespace sunder::layered {

/// x[right] is at least x[left] + gap.
struct Separation {
    Index left = 0;
    Index right = 0;
    double gap = 0;
};

/// Places variables near where they want to be, subject to separations that form no cycle. Adds one variable after the
/// other, from left to right, to clusters that move as one ("satisfy" of VPSC, Dwyer, Marriott, Stuckey 2006), then
/// the same from right to left, and takes the mean of both, which is feasible since the separations are convex. Not
/// the exact optimum of the weighted squares, but near it. O(n log² n) for n separations.
class SeparationSolver {
public:
    SeparationSolver(Index count, std::vector<Separation> separations);

    /// Positions for the given wishes; weights are positive. Empty when cancelled.
    [[nodiscard]] std::vector<double> place(std::span<const double> wish, std::span<const double> weight,
                                            ProgressMonitor& monitor) const;

private:
    Index m_count;
    std::vector<Separation> m_separations; ///< at most one a pair
    std::vector<Index> m_order;            ///< variables from left to right
};

} // namespace sunder::layered
