#pragma once

#include "analysis/run_order/ranked_graph.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace sunder {

/// All that a node needs, directly or not, worked out from the node backwards only as far as one asks: of ancestors
/// below the lowest rank asked for nothing is visited. Growing regions ask about their own surroundings.
class RootAncestors {
public:
    RootAncestors(const RankedGraph& graph, std::uint32_t root) : m_graph(&graph) { expand(root); }

    /// Whether the root needs this node, which is not the root itself. Amortised over all calls: the edges between
    /// ancestors from the lowest rank asked for on.
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
    std::vector<std::uint32_t> m_frontier; ///< found, inputs not looked at; a heap, the highest rank in front
};

} // namespace sunder
