#include "analysis/run_order/ranked_graph.h"

namespace sunder {

NumberLists::NumberLists(std::size_t lists, std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs)
    : m_begin(lists + 1, 0), m_numbers(pairs.size())
{
    for (const auto& [list, number] : pairs)
        ++m_begin[list + 1];
    for (std::size_t i = 1; i < m_begin.size(); ++i)
        m_begin[i] += m_begin[i - 1];
    std::vector<std::uint32_t> next(m_begin.begin(), m_begin.end() - 1);
    for (const auto& [list, number] : pairs)
        m_numbers[next[list]++] = number;
}

Result<RankedGraph> RankedGraph::of(const Graph& graph)
{
    RankedGraph ranked;
    ranked.m_graph = &graph;
    ranked.m_ids = graph.order();
    ranked.m_ranks = graph.positions();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> uses;
    for (std::uint32_t rank = 0; rank < ranked.size(); ++rank) {
        for (const NodeId input : graph.inputs(ranked.m_ids[rank])) {
            if (ranked.rank(input) >= rank)
                return fail(ErrorCode::refused,
                            ranked.nameOf(rank) + " uses " + graph.node(input).name.str() + " before it is computed",
                            {.node = ranked.nameOf(rank), .other = graph.node(input).name.str()});
            ranked.m_inputs.add(ranked.rank(input));
            uses.emplace_back(ranked.rank(input), rank);
        }
        ranked.m_inputs.endList();
    }
    ranked.m_users = NumberLists(ranked.size(), uses);
    return ranked;
}

} // namespace sunder
