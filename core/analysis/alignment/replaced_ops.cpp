#include "analysis/alignment/replaced_ops.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint32_t kNowhere = NodeMatch::kNone;
constexpr std::size_t kMostReplaced = 64;

/// Per module call: the innermost aligned one that it is, or is in.
std::vector<std::uint32_t> alignedAround(const GraphIdentity& identity, const std::vector<bool>& isAligned)
{
    std::vector<std::uint32_t> around(identity.modules.size(), 0);
    for (std::uint32_t module = 1; module < around.size(); ++module)
        around[module] = isAligned[module] ? module : around[identity.modules[module].parent];
    return around;
}

struct Places {
    std::vector<std::uint32_t> oldOf;     ///< per module call of the new graph: the old one, where it is aligned
    std::vector<std::uint32_t> aroundNow; ///< per module call: the aligned one around it
    std::vector<std::uint32_t> aroundOld;
};

Places placesOf(const CallTree& old, const CallTree& now, const Matches& matches)
{
    Places places{.oldOf = std::vector<std::uint32_t>(now.items.size(), kNowhere)};
    std::vector<bool> isAlignedNow(now.items.size(), false);
    std::vector<bool> isAlignedOld(old.items.size(), false);
    for (const ModulePair& pair : matches.modules) {
        if (isAlignedNow[pair.now] || isAlignedOld[pair.old])
            continue;
        places.oldOf[pair.now] = pair.old;
        isAlignedNow[pair.now] = isAlignedOld[pair.old] = true;
    }
    places.aroundNow = alignedAround(*now.identity, isAlignedNow);
    places.aroundOld = alignedAround(*old.identity, isAlignedOld);
    return places;
}

} // namespace

void findReplaced(const CallTree& old, const CallTree& now, const Matches& matches, GraphAlignment& alignment)
{
    const Places places = placesOf(old, now, matches);
    std::vector<std::vector<std::uint32_t>> lostIn(old.items.size()); // ascending
    for (const std::uint32_t node : alignment.lost)
        lostIn[places.aroundOld[old.identity->nodes[node].module]].push_back(node);
    std::vector<std::uint32_t> next(alignment.calls.size() + 1, kNowhere); // the old op of the next found call
    for (std::size_t i = alignment.calls.size(); i-- > 0;)
        next[i] = alignment.calls[i].old != AlignedCall::kNone ? alignment.calls[i].old : next[i + 1];
    std::uint32_t previous = kNowhere;
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        AlignedCall& call = alignment.calls[i];
        if (call.old != AlignedCall::kNone)
            previous = call.old;
        if (call.kind != MatchKind::added)
            continue;
        const std::uint32_t module = places.oldOf[places.aroundNow[now.identity->nodes[call.node].module]];
        if (module == kNowhere || lostIn[module].empty())
            continue;
        const std::vector<std::uint32_t>& lost = lostIn[module];
        const bool isOrdered = previous == kNowhere || next[i] == kNowhere || previous < next[i];
        auto from = lost.begin();
        auto to = lost.end();
        if (isOrdered && previous != kNowhere)
            from = std::ranges::lower_bound(lost, previous);
        if (isOrdered && next[i] != kNowhere)
            to = std::ranges::lower_bound(lost, next[i]);
        if (from >= to)
            continue;
        call.kind = MatchKind::inPlace;
        call.hasMore = static_cast<std::size_t>(to - from) > kMostReplaced;
        call.others.assign(from, call.hasMore ? from + kMostReplaced : to);
    }
}

} // namespace sunder
