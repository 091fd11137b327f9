#include "passes/deduplicate/group_plan.h"

#include "passes/deduplicate/replacement.h"
#include "passes/deduplicate/upstream_subgraph.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <unordered_set>

namespace sunder {

std::vector<std::uint32_t> ranksOf(const RankedGraph& graph, std::span<const NodeId> region)
{
    std::vector<std::uint32_t> ranks;
    ranks.reserve(region.size());
    for (const NodeId id : region)
        ranks.push_back(graph.rank(id));
    return ranks;
}

std::uint32_t operandOf(const RankedGraph& graph, std::span<const std::uint32_t> region, const RegionOperand& operand)
{
    if (operand.isPart)
        return region[operand.place];
    return graph.rank(readsOf(graph.node(region[operand.place]))[operand.argument]);
}

bool isContainer(const RankedGraph& graph, std::uint32_t rank)
{
    const auto& val = graph.node(rank).meta.val;
    return val && (isTuple(*val) || val->is(ArgumentKind::list) || val->is(ArgumentKind::dict));
}

namespace {

class Planner {
public:
    Planner(const Program& program, const RankedGraph& graph, const RegionGroup& group)
        : m_program(program), m_graph(graph), m_group(group), m_region(ranksOf(graph, group.region(0)))
    {
        for (std::uint32_t place = 0; place < m_region.size(); ++place)
            m_placeOf[m_region[place]] = place;
    }

    GroupPlan run(std::string& why)
    {
        m_plan.isInner.assign(m_region.size(), 1);
        if (!separateParts(why))
            return {};
        for (std::uint32_t place = 0; place < m_region.size(); ++place)
            if (m_plan.isInner[place] != 0)
                m_plan.inner.push_back(place);
        listOperands();
        if (m_plan.operands.empty())
            why = name(m_region.back()) + " and what leads to it takes nothing from outside the region";
        for (const RegionOperand& operand : m_plan.operands)
            if (!mayBePassed(operandOf(m_graph, m_region, operand), why))
                break;
        if (!why.empty() || m_plan.inner.empty())
            return {};
        findOutputs();
        return std::move(m_plan);
    }

private:
    [[nodiscard]] std::string name(std::uint32_t rank) const { return m_graph.nameOf(rank); }

    /// A container that is not computed by the subgraph.
    [[nodiscard]] bool isOuterContainer(std::uint32_t rank) const
    {
        const auto place = m_placeOf.find(rank);
        return isContainer(m_graph, rank) && (place == m_placeOf.end() || m_plan.isInner[place->second] == 0);
    }

    /// Nodes that only take an outer tuple apart stay outside. False when a node takes such a tuple as a whole.
    bool separateParts(std::string& why)
    {
        for (std::uint32_t place = 0; place < m_region.size(); ++place) {
            const Node& node = m_graph.node(m_region[place]);
            for (const std::uint32_t input : m_graph.inputs(m_region[place])) {
                if (!isOuterContainer(input))
                    continue;
                if (!takesItem(node)) {
                    why = name(m_region[place]) + " takes " + name(input) + ", a tuple or list from outside the region, as a whole";
                    return false;
                }
                m_plan.isInner[place] = 0;
            }
        }
        return true;
    }

    void listOperands()
    {
        std::unordered_set<std::uint32_t> seen;
        for (std::uint32_t place = 0; place < m_region.size(); ++place) {
            std::uint32_t argument = 0;
            for (const NodeId id : readsOf(m_graph.node(m_region[place]))) {
                const std::uint32_t input = m_graph.rank(id);
                const std::uint32_t at = argument++;
                if (m_placeOf.contains(input) || !seen.insert(input).second)
                    continue;
                if (isContainer(m_graph, input))
                    listParts(input);
                else
                    m_plan.operands.push_back({.place = place, .argument = at});
            }
        }
    }

    /// Parts that the subgraph needs, breadth first in the order in which the tuple is used, as torch lists them.
    void listParts(std::uint32_t container)
    {
        std::deque<std::uint32_t> todo{container};
        for (; !todo.empty(); todo.pop_front()) {
            const auto place = m_placeOf.find(todo.front());
            const auto isInnerUse = [&](std::uint32_t user) {
                const auto found = m_placeOf.find(user);
                return found != m_placeOf.end() && m_plan.isInner[found->second] != 0;
            };
            if (place != m_placeOf.end() && std::ranges::any_of(m_graph.users(todo.front()), isInnerUse))
                m_plan.operands.push_back({.place = place->second, .isPart = true, .container = container});
            for (const NodeId user : m_graph.graph().users(m_graph.id(todo.front())))
                if (m_placeOf.contains(m_graph.rank(user)) && m_plan.isInner[m_placeOf.at(m_graph.rank(user))] == 0)
                    todo.push_back(m_graph.rank(user));
        }
    }

    bool mayBePassed(std::uint32_t rank, std::string& why) const
    {
        const Node& node = m_graph.node(rank);
        if (node.op != Op::getAttr || (node.meta.val && node.meta.val->is(ArgumentKind::tensor))
            || m_program.tensorAt(node.target))
            return true;
        why = name(rank) + " is no tensor but a module or graph, which cannot be passed to a subgraph";
        return false;
    }

    void findOutputs()
    {
        std::vector<char> leaves(m_region.size(), 0);
        for (std::size_t i = 0; i < m_group.regionCount(); ++i) {
            const std::vector<std::uint32_t> region = ranksOf(m_graph, m_group.region(i));
            const std::unordered_set<std::uint32_t> inside(region.begin(), region.end());
            for (const std::uint32_t place : m_plan.inner)
                for (const std::uint32_t user : m_graph.users(region[place]))
                    if (leaves[place] == 0 && !inside.contains(user))
                        leaves[place] = 1;
        }
        for (const std::uint32_t place : m_plan.inner)
            if (leaves[place] != 0)
                m_plan.outputs.push_back(place);
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    const RegionGroup& m_group;
    std::vector<std::uint32_t> m_region; ///< the first one
    std::unordered_map<std::uint32_t, std::uint32_t> m_placeOf;
    GroupPlan m_plan;
};

} // namespace

GroupPlan planGroup(const Program& program, const RankedGraph& graph, const RegionGroup& group, std::string& why)
{
    return Planner(program, graph, group).run(why);
}

} // namespace sunder
