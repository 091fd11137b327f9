#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace sunder {

/// The ancestors of a node, computed backward on demand: inputs of ancestors below the lowest queried rank are not visited. Suits
/// growing regions, which query their own surroundings.
class RootAncestors {
public:
    RootAncestors(const RankedGraph& graph, std::uint32_t root) : m_graph(&graph) { expand(root); }

    /// Returns whether the root, which must not be `rank` itself, depends on this node. Amortized over all calls, visits the
    /// edges between ancestors from the lowest queried rank on.
    bool contains(std::uint32_t rank)
    {
        while (!m_frontier.empty() && m_frontier.front() > rank) {
            const std::uint32_t next = m_frontier.front();
            std::ranges::pop_heap(m_frontier);
            m_frontier.pop_back();
            expand(next);
        }
        return m_found.contains(rank);
    }

private:
    void expand(std::uint32_t rank)
    {
        for (const std::uint32_t input : m_graph->inputs(rank))
            if (m_found.insert(input).second) {
                m_frontier.push_back(input);
                std::ranges::push_heap(m_frontier);
            }
    }

    const RankedGraph* m_graph;
    std::unordered_set<std::uint32_t> m_found;
    std::vector<std::uint32_t> m_frontier; ///< found, but inputs not visited yet; a max-heap
};

} // namespace sunder
