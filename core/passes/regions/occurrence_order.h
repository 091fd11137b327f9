#pragma once

#include "passes/regions/region_result.h"

#include <span>
#include <vector>

namespace sunder {

/// The occurrences of a group in program order, one per row. The group must outlive this object.
class OccurrenceOrder {
public:
    OccurrenceOrder() = default;
    /// `positions`: position of each node in the graph, per NodeId.
    OccurrenceOrder(const RegionGroup& group, std::span<const std::uint32_t> positions);

    [[nodiscard]] int rowCount() const { return static_cast<int>(m_occurrences.size()); }
    [[nodiscard]] std::size_t occurrenceAt(int row) const { return m_occurrences[static_cast<std::size_t>(row)]; }
    [[nodiscard]] int rowOf(std::size_t occurrence) const { return m_rows[occurrence]; }
    [[nodiscard]] std::span<const NodeId> nodesAt(int row) const { return m_group->region(occurrenceAt(row)); }

private:
    const RegionGroup* m_group = nullptr;
    std::vector<std::size_t> m_occurrences; ///< per row
    std::vector<int> m_rows;                ///< per occurrence
};

} // namespace sunder
