#include "document/runs/region_cards.h"

#include <algorithm>

namespace sunder {

std::vector<RegionCard> regionCards(const RegionsOutcome& outcome, const Snapshot& source)
{
    std::vector<RegionCard> cards;
    cards.reserve(outcome.regions.groups.size());
    for (std::size_t i = 0; i < outcome.regions.groups.size(); ++i) {
        const RegionGroup& group = outcome.regions.groups[i];
        RegionCard card{.group = i, .length = group.length, .count = group.regionCount()};
        for (const NodeId id : group.nodes)
            card.bytes += source.sizes.parameterBytes[id.index()];
        cards.push_back(card);
    }
    if (outcome.dedup)
        for (const SharedSubgraph& subgraph : outcome.dedup->subgraphs) {
            cards[subgraph.group].isShared = true;
            cards[subgraph.group].shared = subgraph.calls.size();
        }
    for (RegionCard& card : cards) {
        const std::size_t replaced = outcome.dedup ? card.shared : card.count;
        card.saved = replaced < 2 ? 0 : (replaced - 1) * std::uint64_t{card.length};
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
    return QStringLiteral("%1 ×%2").arg(card.name, QString::number(card.count));
}

} // namespace sunder
