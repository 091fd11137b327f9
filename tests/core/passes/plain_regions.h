#pragma once

#include "analysis/run_order/memory_dependencies.h"
#include "passes/regions/find_regions.h"

#include <algorithm>
#include <deque>
#include <set>
#include <vector>

namespace sunder::test {

using PlainRegion = std::vector<std::uint32_t>;      ///< ranks
using PlainGroup = std::vector<PlainRegion>;

/// A literal, slow implementation of region growth: queues, sets, and the full set of dependencies of each node.
class PlainGrowth {
public:
    PlainGrowth(const RankedGraph& graph, const RegionClasses& classes) : m_graph(graph), m_classes(classes)
    {
        for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
            m_needs.emplace_back();
            for (const std::uint32_t input : graph.inputs(rank)) {
                m_needs[rank].insert(m_needs[input].begin(), m_needs[input].end());
                m_needs[rank].insert(input);
            }
        }
    }

    std::vector<PlainGroup> run()
    {
        std::vector<PlainGroup> groups;
        for (std::uint32_t first = m_graph.size(); first-- > 0;) {
            std::vector<std::uint32_t> roots;
            for (std::uint32_t rank = 0; rank < m_graph.size(); ++rank)
                if (m_classes[rank] != kNoRegionClass && m_classes[rank] == m_classes[first])
                    roots.push_back(rank);
            if (roots.size() > 1 && roots[0] == first)
                if (PlainGroup group = grow(roots); group[0].size() > 1)
                    groups.push_back(std::move(group));
        }
        return groups;
    }

private:
    struct Growing {
        PlainRegion nodes;
        std::deque<std::uint32_t> queue;
    };

    [[nodiscard]] bool wouldLoop(const Growing& region, std::uint32_t node) const
    {
        return std::ranges::any_of(m_graph.users(node), [&](std::uint32_t user) {
            return std::ranges::find(region.nodes, user) == region.nodes.end()
                && std::ranges::any_of(region.nodes, [&](std::uint32_t member) { return m_needs[member].contains(user); });
        });
    }

    [[nodiscard]] bool fits(const Growing& region, std::uint32_t node, const PlainRegion& chosen) const
    {
        const Op op = m_graph.node(node).op;
        return !m_claimed.contains(node) && std::ranges::find(chosen, node) == chosen.end() && op != Op::placeholder
            && op != Op::getAttr && m_classes[node] != kNoRegionClass && m_classes[node] == m_classes[chosen[0]]
            && !wouldLoop(region, node);
    }

    void join(Growing& region, std::uint32_t node) const
    {
        region.nodes.push_back(node);
        const auto inputs = m_graph.inputs(node);
        region.queue.insert(region.queue.end(), inputs.begin(), inputs.end());
    }

    PlainGroup grow(const std::vector<std::uint32_t>& roots)
    {
        std::vector<Growing> regions(roots.size());
        for (std::size_t i = 0; i < roots.size(); ++i)
            join(regions[i], roots[i]);
        while (!regions[0].queue.empty()) {
            PlainRegion chosen;
            bool all = true;
            for (Growing& region : regions) {
                if (region.queue.empty()) {
                    all = false;
                    continue;
                }
                const std::uint32_t node = region.queue.front();
                region.queue.pop_front();
                all = all && (&region == &regions[0] ? !wouldLoop(region, node) : fits(region, node, chosen));
                chosen.push_back(node);
            }
            if (!all)
                continue;
            for (std::size_t i = 0; i < regions.size(); ++i)
                join(regions[i], chosen[i]);
            m_claimed.insert(chosen.begin(), chosen.end());
        }
        return inOrder(regions);
    }

    static PlainGroup inOrder(std::vector<Growing>& regions)
    {
        std::vector<std::size_t> order(regions[0].nodes.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            order[i] = order.size() - 1 - i;
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return regions[0].nodes[i]; });
        PlainGroup group;
        for (const Growing& region : regions) {
            group.emplace_back();
            for (const std::size_t i : order)
                group.back().push_back(region.nodes[i]);
        }
        return group;
    }

    const RankedGraph& m_graph;
    const RegionClasses& m_classes;
    std::vector<std::set<std::uint32_t>> m_needs;
    std::set<std::uint32_t> m_claimed;
};

/// Whether the graph has a cycle if each region is a single step. Runs ready steps until none is left.
inline bool plainLoop(const RankedGraph& graph, const MemoryDependencies& dependencies, const std::vector<PlainRegion>& regions)
{
    std::vector<std::uint32_t> unit(graph.size());
    for (std::uint32_t rank = 0; rank < graph.size(); ++rank)
        unit[rank] = rank;
    for (std::uint32_t i = 0; i < regions.size(); ++i)
        for (const std::uint32_t rank : regions[i])
            unit[rank] = graph.size() + i;
    std::set<std::uint32_t> waiting(unit.begin(), unit.end());
    for (bool moved = true; moved;) {
        std::set<std::uint32_t> blocked;
        for (std::uint32_t rank = 0; rank < graph.size(); ++rank) {
            const auto check = [&](std::uint32_t before) {
                if (unit[before] != unit[rank] && waiting.contains(unit[before]))
                    blocked.insert(unit[rank]);
            };
            std::ranges::for_each(graph.inputs(rank), check);
            std::ranges::for_each(dependencies.earlier(rank), check);
        }
        moved = std::erase_if(waiting, [&](std::uint32_t u) { return !blocked.contains(u); }) > 0;
    }
    return !waiting.empty();
}

} // namespace sunder::test
