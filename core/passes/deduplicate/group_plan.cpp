#include "passes/deduplicate/group_plan.h"

#include "ir/value_kind.h"
#include "passes/deduplicate/replacement.h"
#include "passes/deduplicate/upstream_subgraph.h"
#include "support/progress_monitor.h"

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

class GroupPlanner {
public:
    GroupPlanner(const Program& program, const RankedGraph& graph, const MemoryClasses& memory, const RegionGroup& group,
                 ProgressMonitor& monitor)
        : m_program(program), m_graph(graph), m_memory(memory), m_monitor(monitor), m_region(ranksOf(graph, group.region(0)))
    {
        for (std::size_t i = 0; i < group.regionCount(); ++i)
            m_regions.push_back(ranksOf(graph, group.region(i)));
        for (std::uint32_t place = 0; place < m_region.size(); ++place)
            m_placeOf[m_region[place]] = place;
    }

    Result<GroupPlan> run(std::string& why)
    {
        m_plan.isInner.assign(m_region.size(), 1);
        if (!separateParts(why))
            return GroupPlan();
        for (std::uint32_t place = 0; place < m_region.size(); ++place)
            if (m_plan.isInner[place] != 0)
                m_plan.inner.push_back(place);
        listOperands();
        if (m_plan.operands.empty())
            why = "the region that ends in " + name(m_region.back()) + " uses no values from outside";
        for (const RegionOperand& operand : m_plan.operands)
            if (!mayBePassed(operandOf(m_graph, m_region, operand), why))
                break;
        if (!why.empty() || m_plan.inner.empty())
            return GroupPlan();
        joinTwins();
        SUNDER_PROPAGATE(describeOperands());
        SUNDER_PROPAGATE(m_monitor.check());
        SUNDER_PROPAGATE(findOutputs());
        SUNDER_PROPAGATE(m_monitor.check());
        if (m_plan.outputs.empty() && !m_plan.same.empty())
            why = name(m_region.back()) + " is an input of the region, and the region has no other result";
        return why.empty() ? std::move(m_plan) : GroupPlan();
    }

private:
    [[nodiscard]] std::string name(std::uint32_t rank) const { return m_graph.nameOf(rank); }

    /// True for a container that the subgraph does not compute.
    [[nodiscard]] bool isOuterContainer(std::uint32_t rank) const
    {
        const auto place = m_placeOf.find(rank);
        return isContainer(m_graph, rank) && (place == m_placeOf.end() || m_plan.isInner[place->second] == 0);
    }

    /// Excludes nodes that only take an item of an outer tuple. Returns false if a node uses such a tuple as a whole.
    bool separateParts(std::string& why)
    {
        for (std::uint32_t place = 0; place < m_region.size(); ++place) {
            const Node& node = m_graph.node(m_region[place]);
            for (const std::uint32_t input : m_graph.inputs(m_region[place])) {
                if (!isOuterContainer(input))
                    continue;
                if (!takesItem(node)) {
                    why = name(m_region[place]) + " uses " + name(input)
                        + ", a tuple or list from outside the region, as a whole";
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

    /// Lists the tuple items that the subgraph needs, breadth first in the order of the tuple's users, as PyTorch does.
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
        why = name(rank) + " is a module or graph, not a tensor, and cannot be passed to a subgraph";
        return false;
    }

    Result<void> findOutputs()
    {
        std::vector<char> leaves(m_region.size(), 0);
        StepMonitor steps(m_monitor);
        for (const std::vector<std::uint32_t>& region : m_regions) {
            SUNDER_PROPAGATE(steps.step(region.size()));
            const std::unordered_set<std::uint32_t> inside(region.begin(), region.end());
            for (const std::uint32_t place : m_plan.inner)
                for (const std::uint32_t user : m_graph.users(region[place]))
                    if (leaves[place] == 0 && !inside.contains(user))
                        leaves[place] = 1;
        }
        std::unordered_map<std::uint32_t, std::uint32_t> returned; ///< place of a value → place whose output it shares
        for (const std::uint32_t place : m_plan.inner) {
            if (leaves[place] == 0)
                continue;
            std::optional<SameValue> same = sameValue(place);
            if (same && !same->isOperand)
                same->of = returned.emplace(same->of, leaves[same->of] != 0 ? same->of : place).first->second;
            if (!same || (!same->isOperand && same->of == place))
                continue;
            m_plan.same.push_back(*same);
            leaves[place] = 0;
        }
        for (const std::uint32_t place : m_plan.inner)
            if (leaves[place] != 0)
                m_plan.outputs.push_back(place);
        return {};
    }

    void joinTwins()
    {
        std::unordered_map<std::uint32_t, std::uint32_t> firstOf; ///< origin in the first region → operand that is kept
        std::vector<RegionOperand> kept;
        for (const RegionOperand& operand : m_plan.operands) {
            const auto number = static_cast<std::uint32_t>(kept.size());
            const auto [first, isNew] = firstOf.emplace(m_memory.origin(operandOf(m_graph, m_region, operand)), number);
            const auto isSame = [&](const std::vector<std::uint32_t>& region) {
                return m_memory.origin(operandOf(m_graph, region, operand))
                    == m_memory.origin(operandOf(m_graph, region, kept[first->second]));
            };
            if (isNew || operand.isPart || kept[first->second].isPart || !std::ranges::all_of(m_regions, isSame))
                kept.push_back(operand);
            else
                m_plan.twins.push_back({operand, first->second});
        }
        m_plan.operands = std::move(kept);
    }

    /// Returns the place or operand that has the same value in all regions; nothing if the value is new or the regions differ.
    std::optional<SameValue> sameValue(std::uint32_t place)
    {
        if (m_memory.itself(m_region[place]) == m_region[place])
            return std::nullopt;
        followValues();
        const SameValue& first = m_values.front()[place];
        const auto agrees = [&](const std::vector<SameValue>& values) {
            return values[place].isOperand == first.isOperand && values[place].of == first.of;
        };
        const bool isOwn = !first.isOperand && first.of == place;
        return isOwn || !std::ranges::all_of(m_values, agrees) ? std::nullopt : std::optional(first);
    }

    /// Computes, per region and place, the identity of its value. A place follows the places that it reads.
    void followValues()
    {
        for (const std::vector<std::uint32_t>& region : std::span(m_regions).subspan(m_values.size())) {
            std::unordered_map<std::uint32_t, std::uint32_t> operands; // by origin
            for (std::uint32_t i = 0; i < m_plan.operands.size(); ++i)
                operands.emplace(m_memory.origin(operandOf(m_graph, region, m_plan.operands[i])), i);
            std::unordered_map<std::uint32_t, std::uint32_t> placeOf;
            std::vector<SameValue>& values = m_values.emplace_back();
            for (std::uint32_t place = 0; place < region.size(); ++place) {
                const std::uint32_t is = m_memory.itself(region[place]);
                const auto inside = placeOf.find(is);
                const auto operand = operands.find(m_memory.origin(is));
                SameValue value{.place = place, .isOperand = false, .of = place};
                if (is != region[place] && inside != placeOf.end()) {
                    value.isOperand = values[inside->second].isOperand;
                    value.of = values[inside->second].of;
                } else if (is != region[place] && operand != operands.end()) {
                    value.isOperand = true;
                    value.of = operand->second;
                }
                values.push_back(value);
                if (m_plan.isInner[place] != 0)
                    placeOf.emplace(region[place], place);
            }
        }
    }

    /// Describes each operand, without its storage, if its recorded value is the same in all regions.
    Result<void> describeOperands()
    {
        const auto described = [&](const std::vector<std::uint32_t>& region, const RegionOperand& operand) {
            std::optional<Argument> val = m_graph.node(operandOf(m_graph, region, operand)).meta.val;
            if (const TensorMeta* tensor = tensorOf(val)) {
                auto meta = std::make_shared<TensorMeta>(*tensor);
                meta->storage = {};
                val = Argument::tensor(std::move(meta));
            }
            return val;
        };
        for (const RegionOperand& operand : m_plan.operands) {
            SUNDER_PROPAGATE(m_monitor.check());
            m_plan.described.push_back(described(m_region, operand));
            for (const std::vector<std::uint32_t>& region : m_regions)
                if (described(region, operand) != m_plan.described.back())
                    m_plan.described.back().reset();
        }
        return {};
    }

    const Program& m_program;
    const RankedGraph& m_graph;
    const MemoryClasses& m_memory;
    ProgressMonitor& m_monitor;
    std::vector<std::uint32_t> m_region; ///< the first region
    std::vector<std::vector<std::uint32_t>> m_regions;
    std::vector<std::vector<SameValue>> m_values; ///< per region, computed on demand
    std::unordered_map<std::uint32_t, std::uint32_t> m_placeOf;
    GroupPlan m_plan;
};

} // namespace

Result<GroupPlan> planGroup(const Program& program, const RankedGraph& graph, const MemoryClasses& memory,
                            const RegionGroup& group, std::string& why, ProgressMonitor& monitor)
{
    return GroupPlanner(program, graph, memory, group, monitor).run(why);
}

} // namespace sunder
