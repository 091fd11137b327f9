#include "passes/regions/occurrences.h"

namespace sunder {

OccurrenceTable occurrencesOf(const RegionResult& regions, std::size_t nodes)
{
    OccurrenceTable table{.groups = {}, .groupOf = std::vector(nodes, OccurrenceTable::kNone)};
    for (const RegionGroup& group : regions.groups) {
        for (const NodeId id : group.nodes)
            table.groupOf[id.index()] = static_cast<std::uint32_t>(table.groups.size());
        table.groups.push_back({.regions = group.regionCount(), .nodes = group.nodes});
    }
    return table;
}

} // namespace sunder
