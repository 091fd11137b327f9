#include "passes/regions/contracted_order.h"

#include <algorithm>
#include <numeric>

namespace sunder {

ContractedOrder::ContractedOrder(const RankedGraph& graph, const MemoryDependencies& dependencies)
    : m_graph(graph), m_dependencies(dependencies), m_unit(graph.size()), m_place(graph.size()), m_begin(1, 0),
      m_visited(graph.size(), 0), m_isInside(graph.size(), 0)
{
    std::iota(m_unit.begin(), m_unit.end(), 0U);
    std::iota(m_place.begin(), m_place.end(), 0U);
}

std::span<const std::uint32_t> ContractedOrder::membersOf(const Unit& unit) const
{
    if (unit < m_graph.size())
        return {&unit, 1};
    const std::uint32_t step = unit - m_graph.size();
    return std::span(m_members).subspan(m_begin[step], m_begin[step + 1] - m_begin[step]);
}

/// Calls `visit(member, neighbor)` until it returns false. Returns true if it never did.
template <bool Forward, typename Visit>
bool ContractedOrder::forEachNeighbor(std::span<const std::uint32_t> members, const Visit& visit) const
{
    for (const std::uint32_t member : members) {
        for (const std::uint32_t other : Forward ? m_graph.users(member) : m_graph.inputs(member))
            if (!visit(member, other))
                return false;
        for (const std::uint32_t other : Forward ? m_dependencies.later(member) : m_dependencies.earlier(member))
            if (!visit(member, other))
                return false;
    }
    return true;
}

std::optional<ContractedOrder::Loop> ContractedOrder::findAfter(std::span<const std::uint32_t> region, std::uint32_t last)
{
    m_after.clear();
    std::optional<Loop> loop;
    const auto visit = [&](bool fromInside) {
        return [&, fromInside](std::uint32_t member, std::uint32_t user) {
            if (m_isInside[user] == m_search) {
                if (!fromInside)
                    loop = Loop{.outside = member, .inside = user};
                return fromInside;
            }
            const Unit unit = unitOf(user);
            if (m_place[unit] < last && m_visited[unit] != m_search) {
                m_visited[unit] = m_search;
                m_after.push_back(unit);
            }
            return true;
        };
    };
    forEachNeighbor<true>(region, visit(true));
    for (std::size_t i = 0; i < m_after.size() && !loop; ++i) {
        const Unit unit = m_after[i];
        forEachNeighbor<true>(membersOf(unit), visit(false));
    }
    return loop;
}

void ContractedOrder::findBefore(std::span<const std::uint32_t> region, std::uint32_t first)
{
    m_before.clear();
    const auto visit = [&](std::uint32_t /*member*/, std::uint32_t input) {
        const Unit unit = unitOf(input);
        if (m_isInside[input] != m_search && m_place[unit] > first && m_visited[unit] != m_search) {
            m_visited[unit] = m_search;
            m_before.push_back(unit);
        }
        return true;
    };
    forEachNeighbor<false>(region, visit);
    for (std::size_t i = 0; i < m_before.size(); ++i) {
        const Unit unit = m_before[i];
        forEachNeighbor<false>(membersOf(unit), visit);
    }
}

/// Redistributes the positions of the region, its ancestors and its descendants: first ancestors, then the region, then
/// descendants, each in their old order. The nodes of the region keep separate positions, since undo() may separate them again.
void ContractedOrder::place(std::span<const std::uint32_t> region)
{
    const auto byPlace = [this](Unit a, Unit b) { return m_place[a] < m_place[b]; };
    std::vector<Unit> units(m_before);
    std::ranges::sort(units, byPlace);
    const auto inside = static_cast<std::ptrdiff_t>(units.size());
    units.insert(units.end(), region.begin(), region.end());
    std::sort(units.begin() + inside, units.end(), byPlace);
    const auto after = static_cast<std::ptrdiff_t>(units.size());
    units.insert(units.end(), m_after.begin(), m_after.end());
    std::sort(units.begin() + after, units.end(), byPlace);
    std::vector<std::uint32_t> places;
    for (const Unit unit : units)
        places.push_back(m_place[unit]);
    std::ranges::sort(places);
    for (std::size_t i = 0; i < units.size(); ++i)
        m_place[units[i]] = places[i];
}

std::optional<ContractedOrder::Loop> ContractedOrder::contract(std::span<const std::uint32_t> region)
{
    ++m_search;
    std::uint32_t first = 0xffffffffU;
    std::uint32_t last = 0;
    for (const std::uint32_t rank : region) {
        m_isInside[rank] = m_search;
        first = std::min(first, m_place[rank]);
        last = std::max(last, m_place[rank]);
    }
    if (const std::optional<Loop> loop = findAfter(region, last))
        return loop;
    if (!m_after.empty()) {
        findBefore(region, first);
        place(region);
    }
    const auto step = static_cast<Unit>(m_graph.size() + m_begin.size() - 1);
    std::uint32_t at = 0;
    for (const std::uint32_t rank : region) {
        m_unit[rank] = step;
        at = std::max(at, m_place[rank]);
    }
    m_place.push_back(at);
    m_visited.push_back(0);
    m_members.insert(m_members.end(), region.begin(), region.end());
    m_begin.push_back(static_cast<std::uint32_t>(m_members.size()));
    return std::nullopt;
}

void ContractedOrder::undo()
{
    m_begin.pop_back();
    for (std::size_t i = m_begin.back(); i < m_members.size(); ++i)
        m_unit[m_members[i]] = m_members[i];
    m_members.resize(m_begin.back());
    m_place.pop_back();
    m_visited.pop_back();
}

} // namespace sunder
