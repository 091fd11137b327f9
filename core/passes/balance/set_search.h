#pragma once

#include "passes/balance/stage_program.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

inline constexpr double kSameLoad = 1e-9; ///< relative difference of loads that counts as rounding

/// The sets that a search can use.
struct WindowedSets {
    DownSets sets;
    std::vector<std::vector<std::uint32_t>> candidates; ///< per level, by ascending work
};

/// Lists all down-sets in the windows that `search.limit` leaves per level. Empty if the budget runs out, or if there are too many:
/// more than four million, or more than `storedBytes`.
std::optional<WindowedSets> setsInWindows(const BalanceGraph& graph, const StageSearch& search, std::size_t storedBytes,
                                          BalanceBudget& budget);

/// Improves a cut: finds the best cut whose boundaries are at most `reach` units away from the present ones, in the order of stages.
/// Empty if there is none below the limit, or if the budget runs out.
std::optional<UnitCut> bestNearby(const BalanceGraph& graph, const UnitCut& present, const StageSearch& search, int reach,
                                  BalanceBudget& budget);

} // namespace sunder
