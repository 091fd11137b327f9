#pragma once

#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// Assertions about inputs and values of regions. Regions grow backward from results, so they exclude nodes without users.
/// Outside a region, an export's `_assert_tensor_metadata` would make every value that it checks, including views, a result of
/// the region.
class RegionAssertions {
public:
    RegionAssertions(const Program& program, const RankedGraph& graph);

    /// Returns the group extended by the assertions that all its regions have at the same place; each region stays in graph order
    /// of the first one. Nothing if there are none. O(arguments and users of the group).
    [[nodiscard]] std::optional<RegionGroup> widen(const RegionGroup& group);
    /// Assigns the assertions of a widened group to it, so that other groups cannot use them.
    void take(const RegionGroup& widened);

private:
    class Search;

    const RankedGraph& m_graph;
    std::vector<char> m_isFree; ///< per rank: is an assertion that belongs to no group
};

} // namespace sunder
