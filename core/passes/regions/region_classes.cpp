#include "passes/regions/region_classes.h"

#include "support/flat_map.h"

namespace sunder {

RegionKey regionKeyFor(const Graph& graph)
{
    for (const NodeId id : graph.nodes())
        if (!graph.node(id).meta.regionKey.empty())
            return RegionKey::tracked;
    return RegionKey::structural;
}

RegionClasses trackedClasses(const RankedGraph& graph)
{
    RegionClasses classes(graph.size(), kNoRegionClass);
    FlatMap<std::uint32_t> known;
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        if (const InternedString key = graph.node(rank).meta.regionKey; !key.empty())
            classes[rank] = known.emplace(key, static_cast<std::uint32_t>(known.size())).first;
    return classes;
}

} // namespace sunder
