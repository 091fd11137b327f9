#include "passes/deduplicate/region_calls.h"

#include <algorithm>

namespace sunder {

std::vector<Representative> regionCalls(const RegionResult& regions, const DedupResult& dedup)
{
    std::vector<Representative> calls;
    for (const SharedSubgraph& subgraph : dedup.subgraphs)
        for (std::size_t i = 0; i < std::min(subgraph.calls.size(), subgraph.regions.size()); ++i) {
            const auto region = regions.groups[subgraph.group].region(subgraph.regions[i]);
            calls.push_back({subgraph.calls[i], {region.begin(), region.end()}});
            std::ranges::sort(calls.back().sources);
        }
    return calls;
}

} // namespace sunder
