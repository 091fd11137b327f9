#include "passes/support/alternate_parts.h"

#include "support/number_set.h"

#include <algorithm>
#include <array>
#include <functional>
#include <queue>

// _SplitterBase.put_nodes_into_subgraphs(). The dependencies that fusion groups add are shared by many nodes: each member depends on the
// inputs of all members, and each user of a member on all members. They are lists with a number that nodes refer to, so that a group of n
// nodes takes O(n) instead of O(n²).

namespace sunder {
namespace {

using NodeList = std::vector<std::uint32_t>;

/// The ops that must be placed before a node.
class SplitterDependencies final {
public:
    SplitterDependencies(const SupportGraph& graph, const FusionGroups& fusions)
        : m_graph(graph), m_listsOf(graph.size()), m_isMember(graph.size()), m_isFound(graph.size())
    {
        for (std::size_t first = 0; first < fusions.entered.size();) {
            const std::uint32_t group = fusions.groupOf[fusions.entered[first]];
            std::size_t end = first + 1;
            while (end < fusions.entered.size() && fusions.groupOf[fusions.entered[end]] == group)
                ++end;
            addGroup(fusions.groups[group],
                     {fusions.entered.begin() + static_cast<std::ptrdiff_t>(first),
                      fusions.entered.begin() + static_cast<std::ptrdiff_t>(end)});
            first = end;
        }
    }

    /// Calls `visit(position)` for the input ops of a node.
    template <typename Visit>
    void forEachInput(std::uint32_t at, const Visit& visit) const
    {
        if (m_graph.graph[m_graph.nodes[at]].op == Op::output)
            return;
        for (const std::uint32_t input : m_graph.inputs[at])
            if (m_graph.isCall[input] != 0)
                visit(input);
    }
    [[nodiscard]] const NodeList& listsOf(std::uint32_t at) const { return m_listsOf[at]; }
    [[nodiscard]] const std::vector<NodeList>& lists() const { return m_lists; }

private:
    /// Adds the dependencies of consecutive nodes of a group, and those of the users of the group on these nodes.
    void addGroup(const NodeList& group, NodeList nodes)
    {
        m_isMember.clear();
        for (const std::uint32_t member : group)
            m_isMember.insert(member);
        NodeList outside = neededBy(group);
        if (!outside.empty()) {
            m_lists.push_back(std::move(outside));
            for (const std::uint32_t at : nodes)
                m_listsOf[at].push_back(static_cast<std::uint32_t>(m_lists.size()) - 1);
        }
        m_lists.push_back(std::move(nodes));
        m_isFound.clear();
        for (const std::uint32_t member : group)
            for (const std::uint32_t user : m_graph.users[member])
                if (!m_isMember.contains(user) && m_isFound.insert(user))
                    m_listsOf[user].push_back(static_cast<std::uint32_t>(m_lists.size()) - 1);
    }

    NodeList neededBy(const NodeList& group)
    {
        NodeList outside;
        m_isFound.clear();
        const auto add = [&](std::uint32_t at) {
            if (!m_isMember.contains(at) && m_isFound.insert(at))
                outside.push_back(at);
        };
        StampSet isSeen(m_lists.size());
        for (const std::uint32_t member : group) {
            forEachInput(member, add);
            for (const std::uint32_t list : m_listsOf[member])
                if (isSeen.insert(list))
                    std::ranges::for_each(m_lists[list], add);
        }
        return outside;
    }

    const SupportGraph& m_graph;
    std::vector<NodeList> m_lists;
    std::vector<NodeList> m_listsOf; ///< per position: indices into m_lists
    StampSet m_isMember;
    StampSet m_isFound;
};

class PartAlternator final {
public:
    PartAlternator(const SupportGraph& graph, const std::vector<char>& isAccelerator, const FusionGroups& fusions,
                   bool startsWithFunctions)
        : m_graph(graph), m_isAccelerator(isAccelerator), m_fusions(fusions), m_startsWithFunctions(startsWithFunctions),
          m_dependencies(graph, fusions), m_missing(graph.size(), 0), m_missingOfList(m_dependencies.lists().size()),
          m_nodesOfList(m_dependencies.lists().size()), m_listsWith(graph.size()), m_isWaiting(graph.size(), 0),
          m_isPlaced(graph.size(), 0)
    {
        for (std::uint32_t list = 0; list < m_missingOfList.size(); ++list) {
            m_missingOfList[list] = m_dependencies.lists()[list].size();
            for (const std::uint32_t at : m_dependencies.lists()[list])
                m_listsWith[at].push_back(list);
        }
        for (std::uint32_t at = 0; at < graph.size(); ++at) {
            m_dependencies.forEachInput(at, [&](std::uint32_t) { ++m_missing[at]; });
            m_missing[at] += m_dependencies.listsOf(at).size();
            for (const std::uint32_t list : m_dependencies.listsOf(at))
                m_nodesOfList[list].push_back(at);
        }
    }

    std::variant<AlternatingParts, StuckNode> run()
    {
        bool side = true;
        for (std::uint32_t at = 0; at < m_graph.size(); ++at)
            if (starts(at)) {
                side = side && (m_isAccelerator[at] != 0 || m_missing[at] != 0);
                wait(at);
            }
        AlternatingParts parts;
        NodeList current;
        while (m_waiting > 0) {
            auto& ready = m_ready[side ? 1 : 0];
            if (!ready.empty()) {
                const std::uint32_t at = ready.top();
                ready.pop();
                current.push_back(at);
                place(at);
                continue;
            }
            if (current.empty())
                return StuckNode{static_cast<std::uint32_t>(std::ranges::find(m_isWaiting, 1) - m_isWaiting.begin())};
            close(parts, side, current);
            side = !side;
        }
        if (!current.empty())
            close(parts, side, current);
        return parts;
    }

private:
    [[nodiscard]] bool starts(std::uint32_t at) const
    {
        const Graph& graph = m_graph.graph;
        const auto isSource = [&](std::uint32_t input) {
            const Op op = graph[m_graph.nodes[input]].op;
            return op == Op::placeholder || op == Op::getAttr;
        };
        if (std::ranges::any_of(m_graph.inputs[at], isSource))
            return true;
        return m_graph.isCall[at] != 0 && m_graph.inputs[at].empty()
            && (!m_startsWithFunctions || graph[m_graph.nodes[at]].op == Op::callFunction);
    }

    void wait(std::uint32_t at)
    {
        if (m_isWaiting[at] != 0 || m_isPlaced[at] != 0)
            return;
        m_isWaiting[at] = 1;
        ++m_waiting;
        if (m_missing[at] == 0)
            m_ready[m_isAccelerator[at] != 0 ? 1 : 0].push(at);
    }

    void satisfy(std::uint32_t at)
    {
        if (--m_missing[at] == 0 && m_isWaiting[at] != 0)
            m_ready[m_isAccelerator[at] != 0 ? 1 : 0].push(at);
    }

    void place(std::uint32_t at)
    {
        m_isWaiting[at] = 0;
        --m_waiting;
        m_isPlaced[at] = 1;
        for (const std::uint32_t user : m_graph.users[at])
            if (m_graph.isCall[user] != 0 && m_graph.isCall[at] != 0)
                satisfy(user);
        for (const std::uint32_t list : m_listsWith[at])
            if (--m_missingOfList[list] == 0)
                std::ranges::for_each(m_nodesOfList[list], [this](std::uint32_t other) { satisfy(other); });
        if (m_fusions.groupOf[at] != SupportParts::kNone)
            std::ranges::for_each(m_fusions.groups[m_fusions.groupOf[at]], [this](std::uint32_t other) { wait(other); });
        for (const std::uint32_t user : m_graph.users[at])
            if (m_graph.isCall[user] != 0)
                wait(user);
    }

    static void close(AlternatingParts& parts, bool side, NodeList& current)
    {
        parts.isAccelerator.push_back(side ? 1 : 0);
        parts.nodes.push_back(std::exchange(current, {}));
    }

    const SupportGraph& m_graph;
    const std::vector<char>& m_isAccelerator;
    const FusionGroups& m_fusions;
    bool m_startsWithFunctions;
    SplitterDependencies m_dependencies;
    std::vector<std::size_t> m_missing; ///< per position: input ops and lists that are not placed
    std::vector<std::size_t> m_missingOfList;
    std::vector<NodeList> m_nodesOfList; ///< nodes that need the list
    std::vector<NodeList> m_listsWith; ///< per position: lists that contain it
    std::vector<char> m_isWaiting;
    std::vector<char> m_isPlaced;
    std::size_t m_waiting = 0;
    std::array<std::priority_queue<std::uint32_t, NodeList, std::greater<>>, 2> m_ready; ///< CPU and accelerator
};

} // namespace

std::variant<AlternatingParts, StuckNode> alternateParts(const SupportGraph& graph, const std::vector<char>& isAccelerator,
                                                         const FusionGroups& fusions, bool startsWithFunctions)
{
    return PartAlternator(graph, isAccelerator, fusions, startsWithFunctions).run();
}

} // namespace sunder
