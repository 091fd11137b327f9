#include "analysis/alignment/unmatched_ops.h"

#include <algorithm>
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

} // namespace

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

} // namespace sunder
