#include "panes/regions/occurrence_order.h"

#include <algorithm>
#include <numeric>

namespace sunder {

OccurrenceOrder::OccurrenceOrder(const RegionGroup& group, const Snapshot& source)
    : m_group(&group), m_occurrences(group.regionCount()), m_rows(group.regionCount())
{
    const auto begin = [&](std::size_t occurrence) { return source.positions[group.region(occurrence).front().index()]; };
    std::iota(m_occurrences.begin(), m_occurrences.end(), std::size_t{0});
    std::stable_sort(m_occurrences.begin(), m_occurrences.end(),
                     [&](std::size_t a, std::size_t b) { return begin(a) < begin(b); });
    for (int row = 0; row < rowCount(); ++row)
        m_rows[occurrenceAt(row)] = row;
}

} // namespace sunder
