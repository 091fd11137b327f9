#include "analysis/alignment/replaced_ops.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint32_t kNowhere = NodeMatch::kNone;
constexpr std::size_t kMaxReplaced = 64;

/// Per module call: the innermost aligned call that it is or is nested in.
std::vector<std::uint32_t> alignedAround(const GraphIdentity& identity, const std::vector<bool>& isAligned)
{
    std::vector<std::uint32_t> around(identity.modules.size(), 0);
    for (std::uint32_t module = 1; module < around.size(); ++module)
        around[module] = isAligned[module] ? module : around[identity.modules[module].parent];
    return around;
}

struct Places {
    std::vector<std::uint32_t> oldOf;     ///< per module call of the new graph: its aligned old call, if any
    std::vector<bool> isSure;             ///< whether this alignment is certain
    std::vector<std::vector<std::uint32_t>> others; ///< alternative old calls
    std::vector<std::uint32_t> aroundNow; ///< per module call: the innermost aligned call around it
    std::vector<std::uint32_t> aroundOld;
};

Places placesOf(const CallTree& old, const CallTree& now, const Matches& matches)
{
    Places places{.oldOf = std::vector<std::uint32_t>(now.items.size(), kNowhere),
                  .isSure = std::vector<bool>(now.items.size(), true),
                  .others = std::vector<std::vector<std::uint32_t>>(now.items.size())};
    std::vector<bool> isAlignedNow(now.items.size(), false);
    std::vector<bool> isAlignedOld(old.items.size(), false);
    for (const ModulePair& pair : matches.modules) {
        if (isAlignedNow[pair.now] || isAlignedOld[pair.old])
            continue;
        places.oldOf[pair.now] = pair.old;
        places.isSure[pair.now] = pair.isSure;
        isAlignedNow[pair.now] = isAlignedOld[pair.old] = true;
    }
    for (const ModulePair& pair : matches.doubted) {
        places.others[pair.now].push_back(pair.old);
        isAlignedOld[pair.old] = true;
    }
    places.aroundNow = alignedAround(*now.identity, isAlignedNow);
    places.aroundOld = alignedAround(*old.identity, isAlignedOld);
    return places;
}

/// Returns the lost ops between the matched neighbors of a new op; all lost ops if the neighbors are out of order.
std::span<const std::uint32_t> between(std::span<const std::uint32_t> lost, std::uint32_t before, std::uint32_t behind)
{
    if (before != kNowhere && behind != kNowhere && before >= behind)
        return lost;
    const auto from = before == kNowhere ? lost.begin() : std::ranges::lower_bound(lost, before);
    const auto to = behind == kNowhere ? lost.end() : std::ranges::lower_bound(lost, behind);
    return {from, std::max(from, to)};
}

/// Adds lost ops that a new op replaces; ascending.
void replace(AlignedCall& call, std::span<const std::uint32_t> lost)
{
    const std::size_t room = kMaxReplaced - std::min(kMaxReplaced, call.others.size());
    call.hasMore = call.hasMore || lost.size() > room;
    const auto taken = lost.first(std::min(lost.size(), room));
    call.others.insert(call.others.end(), taken.begin(), taken.end());
}

} // namespace

void findReplaced(const CallTree& old, const CallTree& now, const Matches& matches, GraphAlignment& alignment)
{
    const Places places = placesOf(old, now, matches);
    std::vector<std::vector<std::uint32_t>> lostIn(old.items.size()); // ascending
    for (const std::uint32_t node : alignment.lost)
        lostIn[places.aroundOld[old.identity->nodes[node].module]].push_back(node);
    std::vector<std::uint32_t> next(alignment.calls.size() + 1, kNowhere); // the old op of the next matched call
    for (std::size_t i = alignment.calls.size(); i-- > 0;)
        next[i] = alignment.calls[i].old != AlignedCall::kNone ? alignment.calls[i].old : next[i + 1];
    std::uint32_t previous = kNowhere;
    for (std::size_t i = 0; i < alignment.calls.size(); ++i) {
        AlignedCall& call = alignment.calls[i];
        previous = call.old != AlignedCall::kNone ? call.old : previous;
        const std::uint32_t module = places.aroundNow[now.identity->nodes[call.node].module];
        if (call.kind != MatchKind::added || places.oldOf[module] == kNowhere)
            continue;
        replace(call, between(lostIn[places.oldOf[module]], previous, next[i]));
        if (call.others.empty())
            continue;
        for (const std::uint32_t other : places.others[module])
            replace(call, lostIn[other]);
        call.kind = MatchKind::inPlace;
        call.mayBeNew = !places.isSure[module];
        std::ranges::sort(call.others);
        const auto same = std::ranges::unique(call.others);
        call.others.erase(same.begin(), same.end());
    }
}

} // namespace sunder
