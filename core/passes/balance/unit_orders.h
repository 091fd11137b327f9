#pragma once

#include "passes/balance/balance_graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace sunder {

/// Returns topological orders of the units to start a search from: the present one, two depth-first ones, and one that keeps the
/// crossing values small. O(units · width).
std::vector<std::vector<std::uint32_t>> startingOrders(const BalanceGraph& graph);

/// Returns the units by stage, then by topological order.
std::vector<std::uint32_t> orderByStage(std::span<const std::uint32_t> stageOf);

} // namespace sunder
