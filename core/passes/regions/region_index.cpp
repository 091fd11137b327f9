#include "passes/regions/region_index.h"

namespace sunder {

RegionIndex::RegionIndex(const RegionResult& regions, std::size_t nodes) : m_entries(nodes)
{
    for (std::size_t group = 0; group < regions.groups.size(); ++group) {
        m_lengths.push_back(regions.groups[group].length);
        put(regions, group);
    }
}

void RegionIndex::put(const RegionResult& regions, std::size_t group)
{
    const std::vector<NodeId>& nodes = regions.groups[group].nodes;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        m_entries[nodes[i].index()] = {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(i)};
}

std::optional<RegionPlace> RegionIndex::at(NodeId id) const
{
    if (!id || id.index() >= m_entries.size() || m_entries[id.index()].group == kNone)
        return std::nullopt;
    const Entry& entry = m_entries[id.index()];
    const std::size_t length = m_lengths[entry.group];
    return RegionPlace{entry.group, entry.index / length, entry.index % length};
}

} // namespace sunder
