#pragma once

#include "layout/layered/layered_graph.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <span>

namespace sunder::layered {

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

    /// Returns positions for the desired positions `wish`; weights must be positive. Fails only when cancelled.
    [[nodiscard]] Result<std::vector<double>> place(std::span<const double> wish, std::span<const double> weight,
                                                    ProgressMonitor& monitor) const;

private:
    Index m_count;
    std::vector<Separation> m_separations; ///< at most one per pair
    std::vector<Index> m_order;            ///< variables from left to right
};

} // namespace sunder::layered
