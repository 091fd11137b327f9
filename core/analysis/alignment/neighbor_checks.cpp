#include "analysis/alignment/neighbor_checks.h"

#include "support/mix_hash.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

constexpr std::uint32_t kNoMatch = NodeMatch::kNone;
constexpr std::size_t kMaxNeighbors = 64;

std::vector<std::uint32_t> inputsOf(const GraphIdentity& identity)
{
    std::vector<std::uint32_t> inputs;
    for (std::uint32_t node = 0; node < identity.nodes.size(); ++node)
        if (identity.nodes[node].op == Op::placeholder && !identity.nodes[node].isWeight)
            inputs.push_back(node);
    return inputs;
}

/// Returns whether both nodes have the same neighbors: inputs in the same order, users in any order.
class SameNeighbors {
public:
    SameNeighbors(const CallTree& old, const CallTree& now, const Matches& matches) : m_old(old), m_now(now), m_matches(matches)
    {
    }

    [[nodiscard]] bool operator()(std::uint32_t old, std::uint32_t now) const
    {
        const auto before = m_old.identity->reads[old];
        const auto after = m_now.identity->reads[now];
        if (before.size() != after.size())
            return false;
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!m_old.identity->nodes[before[i]].isWeight && m_matches.ofNow[after[i]].old != before[i])
                return false;
        const auto usersBefore = m_old.users[old];
        const auto usersAfter = m_now.users[now];
        if (usersBefore.size() != usersAfter.size() || usersBefore.size() > kMaxNeighbors)
            return false;
        return std::ranges::all_of(usersAfter, [&](std::uint32_t user) {
            const std::uint32_t was = m_matches.ofNow[user].old;
            return was == kNoMatch ? m_now.identity->nodes[user].op == Op::output
                                   : std::ranges::find(usersBefore, was) != usersBefore.end();
        });
    }

private:
    const CallTree& m_old;
    const CallTree& m_now;
    const Matches& m_matches;
};

/// Unmatched calls, by module call and kind.
using Unfound = std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>;

Unfound unfoundIn(const CallTree& tree, const auto& isFound)
{
    Unfound unfound;
    for (std::uint32_t node = 0; node < tree.identity->nodes.size(); ++node)
        if (isCallOf(*tree.identity, node) && !isFound(node))
            unfound[mixHash(tree.kinds[node], tree.identity->nodes[node].module)].push_back(node);
    return unfound;
}

/// Scores the evidence that two ops of one kind match.
int evidence(const CallTree& old, std::uint32_t before, const CallTree& now, std::uint32_t node)
{
    const NodeIdentity& a = old.identity->nodes[before];
    const NodeIdentity& b = now.identity->nodes[node];
    return (a.constants == b.constants ? 2 : 0) + (a.value == b.value ? 1 : 0);
}

/// Returns the unmatched calls of a module call and kind that `isLike` accepts.
std::vector<std::uint32_t> likest(const Unfound& unfound, std::uint64_t key, const auto& isLike)
{
    std::vector<std::uint32_t> found;
    if (const auto at = unfound.find(key); at != unfound.end())
        for (const std::uint32_t node : std::span(at->second).first(std::min(at->second.size(), kMaxNeighbors)))
            if (isLike(node))
                found.push_back(node);
    return found;
}

/// Walks from a node to its inputs, through unmatched nodes.
class Upstream {
public:
    Upstream(const CallTree& tree) : m_tree(tree) {}
    /// Returns whether the walk reaches a node that is `wanted`. It continues through nodes that are `passable`.
    [[nodiscard]] bool meets(std::uint32_t from, const auto& passable, const auto& wanted)
    {
        constexpr std::size_t kMaxSteps = 32;
        m_walk.assign(1, from);
        for (std::size_t at = 0; at < m_walk.size(); ++at)
            for (const std::uint32_t read : m_tree.identity->reads[m_walk[at]]) {
                if (wanted(read))
                    return true;
                if (passable(read) && m_walk.size() < kMaxSteps && std::ranges::find(m_walk, read) == m_walk.end())
                    m_walk.push_back(read);
            }
        return false;
    }

private:
    const CallTree& m_tree;
    std::vector<std::uint32_t> m_walk;
};

} // namespace

void pairInputs(const CallTree& old, const CallTree& now, Matches& matches)
{
    std::unordered_map<InternedString, std::uint32_t> byName;
    for (const std::uint32_t input : inputsOf(*old.identity))
        byName.emplace(old.identity->nodes[input].name, input);
    std::vector<std::uint32_t> left;
    for (const std::uint32_t input : inputsOf(*now.identity))
        if (const auto found = byName.find(now.identity->nodes[input].name); found != byName.end())
            matches.pair(found->second, input);
        else
            left.push_back(input);
    std::vector<std::uint32_t> others;
    for (const std::uint32_t input : inputsOf(*old.identity))
        if (matches.ofOld[input] == kNoMatch)
            others.push_back(input);
    if (others.size() == left.size())
        for (std::size_t i = 0; i < left.size(); ++i)
            matches.pair(others[i], left[i]);
}

void doubtTwins(const CallTree& old, const CallTree& now, Matches& matches)
{
    const Unfound lost = unfoundIn(old, [&](std::uint32_t node) { return matches.ofOld[node] != kNoMatch; });
    const Unfound added = unfoundIn(now, [&](std::uint32_t node) { return matches.ofNow[node].isFound(); });
    const SameNeighbors same(old, now, matches);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> doubts; // new node, old node
    std::vector<std::uint32_t> perhapsNew;
    for (std::uint32_t node = 0; node < now.identity->nodes.size(); ++node) {
        const NodeMatch& match = matches.ofNow[node];
        if (!match.isFound() || match.isPropagated || !isCallOf(*now.identity, node))
            continue;
        const std::vector<std::uint32_t> rivals = likest(
            added, mixHash(now.kinds[node], now.identity->nodes[node].module),
            [&](std::uint32_t rival) { return evidence(old, match.old, now, rival) >= evidence(old, match.old, now, node); });
        const std::vector<std::uint32_t> missing = likest(
            lost, mixHash(old.kinds[match.old], old.identity->nodes[match.old].module),
            [&](std::uint32_t other) { return evidence(old, other, now, node) >= evidence(old, match.old, now, node); });
        if ((rivals.empty() && missing.empty()) || same(match.old, node))
            continue;
        if (!rivals.empty())
            perhapsNew.push_back(node);
        for (const std::uint32_t rival : rivals)
            doubts.emplace_back(rival, match.old);
        for (const std::uint32_t other : missing)
            doubts.emplace_back(node, other);
    }
    for (const std::uint32_t node : perhapsNew)
        matches.ofNow[node].mayBeNew = true;
    for (const auto& [node, other] : doubts)
        matches.ofNow[node].doubt(other);
}

std::vector<bool> rewired(const CallTree& old, const CallTree& now, const Matches& matches)
{
    std::vector<bool> is(now.identity->nodes.size(), false);
    Upstream upNow(now);
    Upstream upOld(old);
    const auto isNew = [&](std::uint32_t node) { return isCallOf(*now.identity, node) && !matches.ofNow[node].isFound(); };
    const auto isLost = [&](std::uint32_t node) { return isCallOf(*old.identity, node) && matches.ofOld[node] == kNoMatch; };
    for (std::uint32_t node = 0; node < is.size(); ++node) {
        const NodeMatch& match = matches.ofNow[node];
        if (!match.isFound() || !isCallOf(*now.identity, node))
            continue;
        const auto mayBe = [&](std::uint32_t read, std::uint32_t wanted) {
            const NodeMatch& it = matches.ofNow[read];
            return it.old == wanted || std::ranges::find(it.others, wanted) != it.others.end();
        };
        const auto isExplained = [&](std::uint32_t read) { // a current input is also an old one
            const NodeMatch& it = matches.ofNow[read];
            return !it.isFound() || upOld.meets(match.old, isLost, [&](std::uint32_t before) { return mayBe(read, before); });
        };
        const auto isKept = [&](std::uint32_t before) { // an old input is still read
            return matches.ofOld[before] == kNoMatch
                || upNow.meets(node, isNew, [&](std::uint32_t read) { return mayBe(read, before); });
        };
        is[node] = !std::ranges::all_of(now.identity->reads[node], isExplained)
            || !std::ranges::all_of(old.identity->reads[match.old], isKept);
    }
    return is;
}

} // namespace sunder
