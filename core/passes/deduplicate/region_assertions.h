#pragma once

#include "analysis/run_order/ranked_graph.h"
#include "ir/program.h"
#include "passes/regions/region_result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace sunder {

/// Assertions about what regions take or compute. Regions grow backwards from results, so what nobody reads is in none
/// of them: an export's `_assert_tensor_metadata` would make a result of each value that it looks at, views included.
class RegionAssertions {
public:
    RegionAssertions(const Program& program, const RankedGraph& graph);

    /// The group with those assertions that every region has at the same place, each region still in graph order of
    /// the first one; nothing where there are none. O(arguments and users of the group).
    [[nodiscard]] std::optional<RegionGroup> widen(const RegionGroup& group);
    /// The assertions of a widened group belong to it from now on.
    void take(const RegionGroup& widened);

private:
    class Search;

    const RankedGraph& m_graph;
    std::vector<char> m_isFree; ///< per rank: an assertion that no group has
};

} // namespace sunder
