#pragma once

#include "passes/balance/down_sets.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sunder {

/// Counts the steps of a search, and asks the monitor now and then.
class BalanceBudget {
public:
    BalanceBudget(double steps, ProgressMonitor& monitor) : m_left(steps), m_all(steps), m_monitor(monitor) {}

    /// Counts steps of a few nanoseconds each. Returns false if the search should end.
    bool spend(double steps);
    [[nodiscard]] bool isSpent() const { return m_left <= 0 || m_isCancelled; }
    [[nodiscard]] bool isCancelled() const { return m_isCancelled; }
    [[nodiscard]] double left() const { return m_left; }
    /// Sets aside all but these steps, for a section of the search. Returns the number set aside, for release().
    double reserveAllBut(double steps);
    void release(double steps) { m_left += steps; }

private:
    double m_left;
    double m_all;
    double m_sinceQuestion = 0;
    bool m_isCancelled = false;
    ProgressMonitor& m_monitor;
};

/// The states of filling devices one after the other: which classes of devices are used up. A path for devices in list order.
struct BalanceLevels {
    struct Step {
        std::uint32_t from = 0;        ///< level
        std::uint32_t deviceClass = 0; ///< of the device between the two levels
    };
    struct Level {
        std::vector<Step> steps = {}; ///< to this level
        double filled = 0;     ///< the work that fits on the devices used up, per second of load
        double open = 0;       ///< likewise on the others
        double filledBytes = 0;
        double openBytes = 0;
        std::uint32_t devices = 0; ///< number of devices used up
        std::uint32_t others = 0;
    };
    std::vector<Level> levels; ///< from nothing used up to everything
    double largestRatio = 1;

    /// Returns whether the first devices can hold a set and the others the rest, with loads of at most `limit`. `crossing`: least
    /// transfers between the two.
    [[nodiscard]] bool admits(const BalanceGraph& graph, std::size_t level, double work, double allWork, double bytes,
                              double allBytes, double crossing, double limit) const;
};

/// Returns the levels; none if the devices can be used in too many different orders.
BalanceLevels balanceLevels(const BalanceGraph& graph, bool anyOrder);

/// A cut of units: the stage of each unit, and the class of each stage's device.
struct UnitCut {
    std::vector<std::uint32_t> stageOf;
    std::vector<std::uint32_t> classes;
    double load = 0;
};

struct StageSearch {
    const BalanceProblem& problem;
    const BalanceLevels& levels;
    double limit = 0; ///< only cuts with a smaller load count
    bool allowsEmpty = false; ///< of stages
};

/// Finds the best cut whose stages are differences of the candidates: per level, indices of sets by ascending work. Empty if there
/// is none below the limit, or if the budget ran out. O(pairs of candidates of neighboring levels).
std::optional<UnitCut> bestOfSets(const DownSets& sets, const std::vector<std::vector<std::uint32_t>>& candidates,
                                  const StageSearch& search, BalanceBudget& budget);

/// Finds the best cut whose stages are consecutive in a topological order of the units. Empty as above. O(units · units of the
/// largest stage · levels).
std::optional<UnitCut> bestOfOrder(const BalanceGraph& graph, std::span<const std::uint32_t> order, const StageSearch& search,
                                   BalanceBudget& budget);

} // namespace sunder
