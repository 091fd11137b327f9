#include "passes/deduplicate/region_checks.h"

#include "ir/tensor_meta.h"
#include "passes/deduplicate/replacement.h"

#include <algorithm>
#include <utility>

namespace sunder {

RegionChecks::RegionChecks(const RankedGraph& graph, const MemoryAccesses& accesses, const MemoryClasses& views,
                           MemoryDependencies& dependencies)
    : m_graph(graph), m_accesses(accesses), m_views(views), m_dependencies(dependencies),
      m_order(std::in_place, graph, dependencies), m_seenIn(graph.size(), 0)
{
}

/// Operands and results must be containers exactly where those of the first region are.
std::string RegionChecks::kinds(const GroupPlan& plan, std::span<const std::uint32_t> reference,
                                std::span<const std::uint32_t> region) const
{
    for (std::size_t place = 0; place < region.size(); ++place) {
        const auto mine = m_graph.inputs(region[place]);
        const auto first = m_graph.inputs(reference[place]);
        for (std::size_t i = 0; i < std::min(mine.size(), first.size()); ++i)
            if (isContainer(m_graph, mine[i]) != isContainer(m_graph, first[i]))
                return "only one of " + m_graph.nameOf(mine[i]) + " and " + m_graph.nameOf(first[i]) + " is a tuple or list";
    }
    for (const std::uint32_t place : plan.outputs) {
        const auto& val = m_graph.node(region[place]).meta.val;
        if (isContainer(m_graph, region[place]) != isContainer(m_graph, reference[place]))
            return "only one of " + m_graph.nameOf(region[place]) + " and " + m_graph.nameOf(reference[place])
                + " is a tuple or list";
        if (val && val->is(ArgumentKind::dict))
            return m_graph.nameOf(region[place]) + " is a dict, which a subgraph cannot return";
        if (isContainer(m_graph, region[place]))
            if (std::string why = whyUsedAsWhole(region[place], val->items(), region); !why.empty())
                return why;
    }
    return {};
}

/// Returns an empty string if all users outside the region only take items that the tuple has.
std::string RegionChecks::whyUsedAsWhole(std::uint32_t rank, std::span<const Argument> items,
                                         std::span<const std::uint32_t> region) const
{
    for (const std::uint32_t user : m_graph.users(rank)) {
        const Node& node = m_graph.node(user);
        const bool inside = std::ranges::find(region, user) != region.end();
        if (inside && !takesItem(node))
            continue;
        if (!takesItem(node))
            return m_graph.nameOf(user) + " uses " + m_graph.nameOf(rank) + ", a tuple or list, as a whole";
        const std::int64_t index = node.args[1].is(ArgumentKind::boolean) ? (node.args[1].asBoolean() ? 1 : 0)
                                                                          : node.args[1].asInteger();
        if (index < 0 || static_cast<std::size_t>(index) >= items.size()) {
            if (inside)
                continue;
            return m_graph.nameOf(user) + " accesses an item that " + m_graph.nameOf(rank) + " is not known to have";
        }
        const Argument& item = items[static_cast<std::size_t>(index)];
        if (isTuple(item) || item.is(ArgumentKind::list))
            if (std::string why = whyUsedAsWhole(user, item.items(), region); !why.empty())
                return why;
    }
    return {};
}

/// A subgraph may only write to memory that it allocates.
std::string RegionChecks::writes(std::span<const std::uint32_t> inner, std::span<const std::uint32_t> operands) const
{
    const MemoryLocations& locations = m_accesses.locations();
    for (const std::uint32_t rank : inner) {
        if (m_accesses.writesHeld(rank))
            return m_graph.nameOf(rank) + " may write to buffers of the module that it calls";
        for (const NodeId written : m_accesses.effects(rank).written)
            for (const std::uint32_t operand : operands)
                if (locations.ofValue(m_graph.rank(written)) == locations.ofValue(operand))
                    return m_graph.nameOf(rank) + " writes to memory of " + m_graph.nameOf(operand)
                        + ", which comes from outside the region";
    }
    return {};
}

/// No two tensors among operands and results may share memory. As in PyTorch, items of tuples are not checked.
std::string RegionChecks::aliases(const GroupPlan& plan, std::span<const std::uint32_t> region,
                                  std::span<const std::uint32_t> operands)
{
    ++m_check;
    std::vector<std::uint32_t> values;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (!plan.operands[i].isPart)
            values.push_back(operands[i]);
    for (const std::uint32_t place : plan.outputs)
        values.push_back(region[place]);
    for (const std::uint32_t value : values) {
        const auto& val = m_graph.node(value).meta.val;
        if (!val || !val->is(ArgumentKind::tensor))
            continue;
        if (std::exchange(m_seenIn[m_views.of(value)], m_check) != m_check)
            continue;
        for (const std::uint32_t other : values)
            if (other != value && m_views.of(other) == m_views.of(value))
                return m_graph.nameOf(value) + " may share memory with " + m_graph.nameOf(other)
                    + "; inputs and results of a subgraph must not";
    }
    return {};
}

std::string RegionChecks::check(const GroupPlan& plan, std::span<const std::uint32_t> reference,
                                std::span<const std::uint32_t> region)
{
    if (std::string why = kinds(plan, reference, region); !why.empty())
        return why;
    std::vector<std::uint32_t> operands;
    for (const RegionOperand& operand : plan.operands)
        operands.push_back(operandOf(m_graph, region, operand));
    std::vector<std::uint32_t> inner;
    for (const std::uint32_t place : plan.inner)
        inner.push_back(region[place]);
    if (std::string why = writes(inner, operands); !why.empty())
        return why;
    if (std::string why = aliases(plan, region, operands); !why.empty())
        return why;
    if (const auto turned = m_dependencies.findInversion(inner))
        return m_graph.nameOf(turned->first) + " must run before " + m_graph.nameOf(turned->second)
            + ", but their counterparts in the first region run in the opposite order";
    if (const auto loop = m_order->contract(inner))
        return m_graph.nameOf(loop->inside) + " depends on " + m_graph.nameOf(loop->outside)
            + ", which is outside the region and must run after another node of it";
    m_accepted.push_back(std::move(inner));
    return {};
}

void RegionChecks::returnTo(std::size_t accepted)
{
    if (m_accepted.size() == accepted)
        return;
    m_accepted.resize(accepted);
    m_order.emplace(m_graph, m_dependencies);
    for (const std::vector<std::uint32_t>& region : m_accepted)
        m_order->contract(region);
}

} // namespace sunder
