#pragma once

#include "ir/graph.h"
#include "support/result.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace sunder {

/// A list of lists of numbers in two flat arrays.
class NumberLists {
public:
    NumberLists() : m_begin(1, 0) {}
    /// Builds the lists from pairs (list, number) in any order; each list keeps the order of its pairs.
    NumberLists(std::size_t lists, std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs);

    void add(std::uint32_t number) { m_numbers.push_back(number); }
    /// Ends the list filled by add() and begins the next one.
    void endList() { m_begin.push_back(static_cast<std::uint32_t>(m_numbers.size())); }
    [[nodiscard]] std::span<const std::uint32_t> operator[](std::size_t list) const
    {
        return std::span(m_numbers).subspan(m_begin[list], m_begin[list + 1] - m_begin[list]);
    }

private:
    std::vector<std::uint32_t> m_begin;
    std::vector<std::uint32_t> m_numbers;
};

/// A snapshot of a graph with nodes numbered in graph order ("ranks") and both directions of its edges in flat arrays, for
/// searches that visit every edge.
class RankedGraph {
public:
    /// Numbers the nodes of a graph. Refuses a graph in which a node is used before it is computed. O(nodes + arguments).
    static Result<RankedGraph> of(const Graph& graph);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(m_ids.size()); }
    [[nodiscard]] const Graph& graph() const { return *m_graph; }
    [[nodiscard]] const Node& node(std::uint32_t rank) const { return m_graph->node(m_ids[rank]); }
    [[nodiscard]] NodeId id(std::uint32_t rank) const { return m_ids[rank]; }
    [[nodiscard]] std::uint32_t rank(NodeId id) const { return m_ranks[id.index()]; }
    [[nodiscard]] std::string nameOf(std::uint32_t rank) const { return node(rank).name.str(); }
    /// Returns distinct inputs, in order of first appearance in the arguments.
    [[nodiscard]] std::span<const std::uint32_t> inputs(std::uint32_t rank) const { return m_inputs[rank]; }
    /// Returns distinct users in graph order.
    [[nodiscard]] std::span<const std::uint32_t> users(std::uint32_t rank) const { return m_users[rank]; }

private:
    const Graph* m_graph = nullptr;
    std::vector<NodeId> m_ids;
    std::vector<std::uint32_t> m_ranks; ///< per NodeId
    NumberLists m_inputs;
    NumberLists m_users;
};

} // namespace sunder
