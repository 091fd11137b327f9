#include "passes/deduplicate/region_figures.h"

#include <algorithm>

namespace sunder {

std::vector<RegionFigures> regionFigures(const RegionResult& regions, const DedupResult* dedup, const ProgramSizes& sizes)
{
    std::vector<RegionFigures> cards;
    cards.reserve(regions.groups.size());
    for (std::size_t i = 0; i < regions.groups.size(); ++i) {
        const RegionGroup& group = regions.groups[i];
        RegionFigures card{.group = i, .length = group.length, .count = group.regionCount()};
        for (const NodeId id : group.nodes)
            card.bytes += sizes.parameterBytes[id.index()];
        cards.push_back(card);
    }
    if (dedup != nullptr)
        for (const SharedSubgraph& subgraph : dedup->subgraphs) {
            cards[subgraph.group].isShared = true;
            cards[subgraph.group].shared = subgraph.calls.size();
        }
    for (RegionFigures& card : cards) {
        const std::size_t replaced = dedup != nullptr ? card.shared : card.count;
        card.saved = replaced < 2 ? 0 : (replaced - 1) * std::uint64_t{card.length};
    }
    const auto isBefore = [](const RegionFigures& a, const RegionFigures& b) {
        return a.saved != b.saved ? a.saved > b.saved : a.bytes > b.bytes;
    };
    std::stable_sort(cards.begin(), cards.end(), isBefore);
    for (std::size_t i = 0; i < cards.size(); ++i)
        cards[i].name = "R" + std::to_string(i + 1);
    return cards;
}

std::string titleOf(const RegionFigures& card)
{
    return card.name + " ×" + std::to_string(card.count);
}

} // namespace sunder
