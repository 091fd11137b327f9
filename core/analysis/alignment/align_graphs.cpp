#include "analysis/alignment/align_graphs.h"

#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"
#include "analysis/alignment/neighbor_checks.h"
#include "analysis/alignment/tree_alignment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace sunder {
namespace {

constexpr std::uint32_t kNone = NodeMatch::kNone;

/// Per module call: whether none of its calls has a match.
std::vector<bool> untouched(const CallTree& tree, const auto& isFound)
{
    const GraphIdentity& identity = *tree.identity;
    std::vector<bool> is(identity.modules.size(), true);
    for (std::uint32_t node = 0; node < identity.nodes.size(); ++node)
        if (isCallOf(identity, node) && isFound(node))
            is[identity.nodes[node].module] = false;
    for (std::size_t module = identity.modules.size(); module-- > 1;)
        if (!is[module])
            is[identity.modules[module].parent] = false;
    return is;
}

using Shelves = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>; ///< module calls by content hash; for lookup only

Shelves shelvesOf(const CallTree& tree, const std::vector<bool>& untouched)
{
    Shelves shelves;
    for (std::uint32_t module = 1; module < untouched.size(); ++module)
        if (untouched[module] && tree.callCount[module] > 0)
            shelves[tree.alike[module]].push_back(module);
    return shelves;
}

/// Finds an op by its neighbors on one side.
class NeighborSearch {
public:
    enum class Side : std::uint8_t { reads, users };
    NeighborSearch(const CallTree& old, const CallTree& now, Matches& matches, Side side)
        : m_old(old), m_now(now), m_matches(matches), m_side(side)
    {
    }

    bool tryNode(std::uint32_t now)
    {
        if (m_matches.ofNow[now].isFound() || !isCallOf(*m_now.identity, now))
            return false;
        const std::uint32_t near = firstOf(m_now, now);
        if (near == kNone || !m_matches.ofNow[near].isSure())
            return false;
        const std::uint32_t found = only(m_old, m_matches.ofNow[near].old,
                                         [&](std::uint32_t old) { return m_matches.ofOld[old] == kNone && isLike(old, now); });
        if (found == kNone)
            return false;
        const std::uint32_t back = only(
            m_now, near, [&](std::uint32_t other) { return !m_matches.ofNow[other].isFound() && isLike(found, other); });
        if (back != now)
            return false;
        m_matches.pair(found, now);
        m_matches.ofNow[now].isPropagated = true;
        return true;
    }

private:
    static constexpr std::size_t kMaxReaders = 64;

    [[nodiscard]] std::span<const std::uint32_t> neighbors(const CallTree& tree, std::uint32_t node) const
    {
        return m_side == Side::reads ? tree.identity->reads[node] : tree.users[node];
    }
    [[nodiscard]] std::uint32_t firstOf(const CallTree& tree, std::uint32_t node) const
    {
        for (const std::uint32_t near : neighbors(tree, node))
            if (!tree.identity->nodes[near].isWeight && isCallOf(*tree.identity, near))
                return near;
        return kNone;
    }
    /// Returns the only wanted node on the opposite side of `near`; none if there are several.
    [[nodiscard]] std::uint32_t only(const CallTree& tree, std::uint32_t near, const auto& isWanted) const
    {
        const auto back = m_side == Side::reads ? tree.users[near] : tree.identity->reads[near];
        std::uint32_t found = kNone;
        if (back.size() > kMaxReaders)
            return kNone;
        for (const std::uint32_t node : back)
            if (isCallOf(*tree.identity, node) && isWanted(node)) {
                if (found != kNone)
                    return kNone;
                found = node;
            }
        return found;
    }
    /// Returns whether both are the same op with the same constants, and all neighbors on this side match.
    [[nodiscard]] bool isLike(std::uint32_t old, std::uint32_t now) const
    {
        const NodeIdentity& a = m_old.identity->nodes[old];
        const NodeIdentity& b = m_now.identity->nodes[now];
        if (m_old.kinds[old] != m_now.kinds[now] || a.constants != b.constants || a.value != b.value)
            return false;
        const auto before = neighbors(m_old, old);
        const auto after = neighbors(m_now, now);
        if (before.size() != after.size() || before.size() > kMaxReaders)
            return false;
        for (std::size_t i = 0; i < before.size(); ++i) {
            const bool isWeight = m_old.identity->nodes[before[i]].isWeight;
            if (isWeight != m_now.identity->nodes[after[i]].isWeight)
                return false;
            if (!isWeight && m_matches.ofNow[after[i]].old != before[i])
                return false;
        }
        return true;
    }

    const CallTree& m_old;
    const CallTree& m_now;
    Matches& m_matches;
    Side m_side;
};

/// Searches the whole model for unmatched modules by content. A match is certain if it is unique on both sides and the module
/// runs at least three ops; otherwise it is a doubt. O(nodes + modules).
void alignLeftModules(const CallTree& old, const CallTree& now, TreeAlignment& tree, Matches& matches)
{
    constexpr std::uint32_t kEnough = 3;
    const Shelves before = shelvesOf(old, untouched(old, [&](std::uint32_t node) { return matches.ofOld[node] != kNone; }));
    const std::vector<bool> isLeft = untouched(now, [&](std::uint32_t node) { return matches.ofNow[node].isFound(); });
    const Shelves after = shelvesOf(now, isLeft);
    std::vector<bool> isTaken(isLeft.size(), false);
    std::unordered_map<std::uint64_t, std::size_t> given;
    for (std::uint32_t module = 1; module < isLeft.size(); ++module) { // outer calls come first
        isTaken[module] = isTaken[now.identity->modules[module].parent];
        const auto shelf = isLeft[module] && !isTaken[module] ? before.find(now.alike[module]) : before.end();
        if (shelf == before.end())
            continue;
        const std::size_t next = given[shelf->first]++;
        if (next >= shelf->second.size())
            continue;
        const bool isOne = shelf->second.size() == 1 && after.at(shelf->first).size() == 1;
        tree.align({.old = shelf->second[next], .now = module}, !isOne || now.callCount[module] < kEnough);
        isTaken[module] = true;
    }
}

/// Matches remaining ops by their inputs, then by their users, repeatedly while each step finds a unique match. O(edges); values
/// with more than 64 users are not followed.
void alignLeftNodes(const CallTree& old, const CallTree& now, Matches& matches)
{
    constexpr int kMaxRounds = 8;
    NeighborSearch byReads(old, now, matches, NeighborSearch::Side::reads);
    NeighborSearch byUsers(old, now, matches, NeighborSearch::Side::users);
    const auto count = static_cast<std::uint32_t>(now.identity->nodes.size());
    for (int round = 0; round < kMaxRounds; ++round) {
        bool hasFound = false;
        for (std::uint32_t node = 0; node < count; ++node)
            hasFound = byReads.tryNode(node) || hasFound;
        for (std::uint32_t node = count; node-- > 0;)
            hasFound = byUsers.tryNode(node) || hasFound;
        if (!hasFound)
            return;
    }
}

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
    std::vector<std::uint32_t> oldOf; ///< per module call of the new graph: its aligned old call, if any
    std::vector<bool> isSure; ///< whether this alignment is certain
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

/// Finds the lost ops that new ops replace: those in the same module call between the same matched ops. O(nodes + lost ops per
/// replacement).
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

Matches emptyMatches(const GraphIdentity& old, const GraphIdentity& now)
{
    return {.ofNow = std::vector<NodeMatch>(now.nodes.size()),
            .ofOld = std::vector<std::uint32_t>(old.nodes.size(), NodeMatch::kNone)};
}

/// Returns whether both ops have the same module path, module call, operator and position.
bool hasSamePlace(const CallTree& old, const CallTree& now, std::uint32_t before, std::uint32_t node)
{
    const NodeIdentity& a = old.identity->nodes[before];
    const NodeIdentity& b = now.identity->nodes[node];
    const ModuleCallIdentity& in = old.identity->modules[a.module];
    const ModuleCallIdentity& is = now.identity->modules[b.module];
    return in.path == is.path && in.call == is.call && a.op == b.op && a.target == b.target
        && old.places[before] == now.places[node];
}

AlignedCall alignedCall(const CallTree& old, const CallTree& now, const Matches& matches, std::uint32_t node, bool isRewired)
{
    const NodeMatch& match = matches.ofNow[node];
    AlignedCall call{
        .node = node, .old = match.old, .others = match.others, .mayBeNew = match.mayBeNew, .hasMore = match.hasMore};
    std::erase(call.others, match.old);
    std::ranges::sort(call.others);
    if (!match.isFound())
        call.kind = call.others.empty() && !match.hasMore ? MatchKind::added : MatchKind::undecided;
    else if (!call.others.empty() || match.mayBeNew || match.hasMore || match.isWeak)
        call.kind = MatchKind::undecided;
    else if (isRewired)
        call.kind = MatchKind::moved;
    else
        call.kind = hasSamePlace(old, now, match.old, node) ? MatchKind::identity : MatchKind::structure;
    if (call.kind == MatchKind::undecided && (match.isWeak || !match.isFound()))
        call.mayBeNew = true;
    return call;
}

} // namespace

std::string_view name(MatchKind kind)
{
    constexpr std::array<std::string_view, kMatchKinds> kNames = {"identity", "structure", "moved",
                                                                  "in_place", "undecided", "added"};
    return kNames[static_cast<std::size_t>(kind)];
}

Result<GraphAlignment> alignGraphs(const GraphIdentity& old, const GraphIdentity& now, ProgressMonitor& monitor)
{
    const CallTree before(old);
    const CallTree after(now);
    Matches matches = emptyMatches(old, now);
    pairInputs(before, after, matches);
    TreeAlignment tree(before, after, matches);
    tree.align({.old = 0, .now = 0}, false);
    monitor.report(0.5, "matching ops by their inputs");
    SUNDER_PROPAGATE(monitor.check());
    alignLeftModules(before, after, tree, matches);
    alignLeftNodes(before, after, matches);
    doubtTwins(before, after, matches);
    const std::vector<bool> isRewired = rewired(before, after, matches);
    GraphAlignment alignment;
    for (std::uint32_t node = 0; node < now.nodes.size(); ++node)
        if (isCallOf(now, node))
            alignment.calls.push_back(alignedCall(before, after, matches, node, isRewired[node]));
    for (std::uint32_t node = 0; node < old.nodes.size(); ++node)
        if (isCallOf(old, node) && matches.ofOld[node] == NodeMatch::kNone)
            alignment.lost.push_back(node);
    findReplaced(before, after, matches, alignment);
    return alignment;
}

} // namespace sunder
