#include "document/runs/region_cards.h"

#include <algorithm>

namespace sunder {

std::vector<RegionCard> regionCards(const RegionsOutcome& outcome, const Snapshot& source)
{
    std::vector<RegionCard> cards;
    for (std::size_t i = 0; i < outcome.regions.groups.size(); ++i) {
        const RegionGroup& group = outcome.regions.groups[i];
        RegionCard card{.group = i, .length = group.length, .count = group.regionCount()};
        for (const NodeId id : group.nodes)
            card.bytes += source.sizes.parameterBytes[id.index()];
        std::size_t replaced = card.count;
        if (outcome.dedup)
            for (const SharedSubgraph& subgraph : outcome.dedup->subgraphs)
                if (subgraph.group == i) {
                    card.isShared = true;
                    card.shared = subgraph.calls.size();
                }
        if (outcome.dedup)
            replaced = card.shared;
        card.saved = replaced < 2 ? 0 : (replaced - 1) * std::uint64_t{card.length};
        cards.push_back(card);
    }
    const auto isBefore = [](const RegionCard& a, const RegionCard& b) {
        return a.saved != b.saved ? a.saved > b.saved : a.bytes > b.bytes;
    };
    std::stable_sort(cards.begin(), cards.end(), isBefore);
    for (std::size_t i = 0; i < cards.size(); ++i)
        cards[i].name = QStringLiteral("R%1").arg(i + 1);
    return cards;
}

QString titleOf(const RegionCard& card)
{
    return QStringLiteral("%1 ×%2").arg(card.name).arg(card.count);
}

} // namespace sunder
