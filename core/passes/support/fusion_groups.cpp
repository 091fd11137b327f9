#include "passes/support/fusion_groups.h"

#include "support/number_set.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sunder {
namespace {

constexpr std::uint32_t kNoFusion = SupportParts::kNone;

using Positions = std::vector<std::uint32_t>;

/// Computes closures: the smallest sets that contain some ops, each op that uses a member without tensors, each input without
/// tensors, and each node between two members.
class FusionClosure final {
public:
    explicit FusionClosure(const SupportGraph& graph)
        : m_graph(graph), m_isMember(graph.size()), m_isBelow(graph.size()), m_isAbove(graph.size())
    {
    }

    /// O(nodes and edges between the first and the last member), times the number of rounds, usually one or two.
    Positions of(std::span<const std::uint32_t> seeds)
    {
        m_isMember.clear();
        m_members.clear();
        std::ranges::for_each(seeds, [this](std::uint32_t at) { add(at); });
        do
            followValues();
        while (addBetween());
        std::ranges::sort(m_members);
        return m_members;
    }

private:
    void add(std::uint32_t at)
    {
        if (m_isMember.insert(at))
            m_members.push_back(at);
    }

    void followValues()
    {
        for (; m_followed < m_members.size(); ++m_followed) {
            const std::uint32_t at = m_members[m_followed];
            if (m_graph.holdsTensor[at] == 0)
                for (const std::uint32_t user : m_graph.users[at])
                    if (m_graph.isCall[user] != 0)
                        add(user);
            for (const std::uint32_t input : m_graph.inputs[at])
                if (m_graph.isCall[input] != 0 && m_graph.holdsTensor[input] == 0)
                    add(input);
        }
    }

    /// Adds the nodes on paths between members. Returns whether there were any outside.
    bool addBetween()
    {
        const auto [first, last] = std::ranges::minmax(m_members);
        m_isBelow.clear();
        m_isAbove.clear();
        const auto isIn = [this](StampSet& reached) {
            return [this, &reached](std::uint32_t at) { return m_isMember.contains(at) || reached.contains(at); };
        };
        for (std::uint32_t at = first; at <= last; ++at)
            if (std::ranges::any_of(m_graph.inputs[at], isIn(m_isBelow)))
                m_isBelow.insert(at);
        const std::size_t before = m_members.size();
        Positions between;
        for (std::uint32_t at = last + 1; at-- > first;)
            if (std::ranges::any_of(m_graph.users[at], isIn(m_isAbove))) {
                m_isAbove.insert(at);
                if (m_isBelow.contains(at))
                    between.push_back(at);
            }
        std::ranges::for_each(between, [this](std::uint32_t at) { add(at); });
        const bool hasGrown = m_members.size() > before;
        m_followed = hasGrown ? before : 0;
        return hasGrown;
    }

    const SupportGraph& m_graph;
    Positions m_members;
    std::size_t m_followed = 0; ///< members whose neighbors have been added
    StampSet m_isMember;
    StampSet m_isBelow;
    StampSet m_isAbove;
};

bool areAll(const Positions& group, const std::vector<char>& isAccelerator)
{
    return std::ranges::all_of(group, [&](std::uint32_t at) { return isAccelerator[at] != 0; });
}

void removeAll(const Positions& group, std::vector<char>& isAccelerator)
{
    for (const std::uint32_t at : group)
        isAccelerator[at] = 0;
}

bool isFusionSeed(const SupportGraph& graph, const std::vector<char>& isAccelerator, std::uint32_t at)
{
    return graph.isCall[at] != 0 && isAccelerator[at] != 0 && graph.holdsTensor[at] == 0;
}

/// Groups without common nodes, in the order of their first seeds.
class JoinedFusions final {
public:
    JoinedFusions(const SupportGraph& graph, const std::vector<char>& isAccelerator)
        : m_graph(graph), m_isAccelerator(isAccelerator), m_closure(graph), m_groupOf(graph.size(), kNoFusion)
    {
    }

    Result<std::vector<Positions>> run(ProgressMonitor& monitor)
    {
        StepMonitor steps(monitor);
        for (std::uint32_t at = 0; at < m_graph.size(); ++at) {
            SUNDER_PROPAGATE(steps.step());
            if (isFusionSeed(m_graph, m_isAccelerator, at) && m_groupOf[at] == kNoFusion)
                add({at});
        }
        while (joinCycles())
            SUNDER_PROPAGATE(monitor.check());
        std::erase_if(m_groups, [](const Positions& group) { return group.empty(); });
        const auto firstSeed = [this](const Positions& group) {
            return *std::ranges::find_if(group, [this](std::uint32_t at) { return isFusionSeed(m_graph, m_isAccelerator, at); });
        };
        std::ranges::sort(m_groups, {}, firstSeed);
        return std::move(m_groups);
    }

private:
    /// Adds the closure of some nodes, joined with the groups that it meets.
    void add(Positions nodes)
    {
        for (bool isAlone = false; !isAlone;) {
            nodes = m_closure.of(nodes);
            isAlone = true;
            for (std::size_t i = 0; i < nodes.size(); ++i) // the list grows
                if (const std::uint32_t met = m_groupOf[nodes[i]]; met != kNoFusion) {
                    for (const std::uint32_t member : m_groups[met])
                        m_groupOf[member] = kNoFusion;
                    nodes.insert(nodes.end(), m_groups[met].begin(), m_groups[met].end());
                    m_groups[met].clear();
                    isAlone = false;
                }
        }
        for (const std::uint32_t at : nodes)
            m_groupOf[at] = static_cast<std::uint32_t>(m_groups.size());
        m_groups.push_back(std::move(nodes));
    }

    /// Joins groups that depend on each other. Returns whether there were any.
    bool joinCycles()
    {
        const auto groups = static_cast<std::uint32_t>(m_groups.size());
        const StrongComponents found = componentsOf(m_graph, m_groupOf, groups);
        std::vector<Positions> joined(found.size.size()); // numbers of groups
        for (std::uint32_t group = 0; group < groups; ++group)
            if (!m_groups[group].empty())
                joined[found.of[group]].push_back(group);
        bool isAny = false;
        for (const Positions& cycle : joined) {
            if (cycle.size() < 2)
                continue;
            Positions nodes;
            for (const std::uint32_t group : cycle)
                nodes.insert(nodes.end(), m_groups[group].begin(), m_groups[group].end());
            if (!nodes.empty()) // otherwise joined with an earlier cycle
                add(std::move(nodes));
            isAny = true;
        }
        return isAny;
    }

    const SupportGraph& m_graph;
    const std::vector<char>& m_isAccelerator;
    FusionClosure m_closure;
    std::vector<Positions> m_groups; ///< empty ones were joined to others
    std::vector<std::uint32_t> m_groupOf;
};

} // namespace

Result<FusionGroups> fusionGroups(const SupportGraph& graph, std::vector<char>& isAccelerator, ProgressMonitor& monitor)
{
    FusionGroups found{.groups = {}, .groupOf = std::vector<std::uint32_t>(graph.size(), kNoFusion), .entered = {}};
    FusionClosure closure(graph);
    for (std::uint32_t at = 0; at < graph.size(); ++at) {
        if (!isFusionSeed(graph, isAccelerator, at) || found.groupOf[at] != kNoFusion)
            continue;
        SUNDER_PROPAGATE(monitor.check());
        const Positions seeds = {at};
        Positions group = closure.of(seeds);
        if (!areAll(group, isAccelerator)) {
            removeAll(group, isAccelerator);
            continue;
        }
        for (const std::uint32_t member : group) {
            if (found.groupOf[member] == kNoFusion)
                found.entered.push_back(member);
            found.groupOf[member] = static_cast<std::uint32_t>(found.groups.size());
        }
        found.groups.push_back(std::move(group));
    }
    return found;
}

Result<FusionGroups> joinedFusionGroups(const SupportGraph& graph, std::vector<char>& isAccelerator, ProgressMonitor& monitor)
{
    while (true) {
        SUNDER_TRY(std::vector<Positions> groups, JoinedFusions(graph, isAccelerator).run(monitor));
        bool isDone = true;
        for (const Positions& group : groups)
            if (!areAll(group, isAccelerator)) {
                removeAll(group, isAccelerator);
                isDone = false;
            }
        if (!isDone)
            continue;
        FusionGroups found{
            .groups = std::move(groups), .groupOf = std::vector<std::uint32_t>(graph.size(), kNoFusion), .entered = {}};
        for (std::uint32_t number = 0; number < found.groups.size(); ++number)
            for (const std::uint32_t member : found.groups[number]) {
                found.groupOf[member] = number;
                found.entered.push_back(member);
            }
        return found;
    }
}

} // namespace sunder
