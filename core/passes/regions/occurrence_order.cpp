#include "passes/regions/occurrence_order.h"

#include <algorithm>
#include <numeric>

namespace sunder {

OccurrenceOrder::OccurrenceOrder(const RegionGroup& group, std::span<const std::uint32_t> positions)
    : m_group(&group), m_occurrences(group.regionCount()), m_rows(group.regionCount())
{
    const auto begin = [&](std::size_t occurrence) { return positions[group.region(occurrence).front().index()]; };
    std::iota(m_occurrences.begin(), m_occurrences.end(), std::size_t{0});
    std::stable_sort(m_occurrences.begin(), m_occurrences.end(),
                     [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    for (int row = 0; row < rowCount(); ++row)
        m_rows[occurrenceAt(row)] = row;
}

} // namespace sunder
