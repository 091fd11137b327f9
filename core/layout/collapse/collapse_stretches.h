#pragma once

#include "layout/collapse/collapse_units.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// A directed graph over 0 … count - 1 by its incoming edges; repeats and loops do no harm.
struct Quotient {
    Index count = 0;
    std::vector<Index> inStart;
    std::vector<Index> in;
};

/// `forEachEdge(visit)` calls `visit(from, to)` for every edge, twice in the same order.
template <typename ForEachEdge>
Quotient quotientOf(Index count, const ForEachEdge& forEachEdge)
{
    Quotient result{count, std::vector<Index>(count + 1, 0), {}};
    forEachEdge([&](Index, Index to) { ++result.inStart[to + 1]; });
    for (Index i = 0; i < count; ++i)
        result.inStart[i + 1] += result.inStart[i];
    result.in.resize(result.inStart.back());
    std::vector<Index> next = result.inStart;
    forEachEdge([&](Index from, Index to) { result.in[next[to]++] = from; });
    return result;
}

/// Turns the groups that some units are put into (by `groupOf`, per place in `units`) into a graph of groups.
/// Reads of units that are not among `units` are left out. Keeps its tables between calls, so that all levels of a
/// picture together stay linear.
class Grouping {
public:
    explicit Grouping(const UnitGraph& graph) : m_graph(graph), m_place(graph.size(), kNone) {}

    /// `units` in graph order. Linear in the units and their reads.
    Quotient quotient(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount);

    /// Divides groups until their graph has no cycle: groups in no cycle stay whole, those in one are divided into as
    /// few stretches as following the order of execution allows, each a group of its own. Returns per unit the group
    /// it is in now, numbered by first unit; `groupOf` likewise numbered. Linear.
    std::vector<Index> divideCycles(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount);

private:
    void enter(std::span<const Index> units);
    void leave(std::span<const Index> units);

    const UnitGraph& m_graph;
    std::vector<Index> m_place; ///< per unit: its place in `units`; kNone outside a call
};

/// Per node the number of its strongly connected component (Tarjan 1972, without recursion), and how many nodes each
/// component has.
struct Components {
    std::vector<Index> of;
    std::vector<Index> size;
};
Components componentsOf(const Quotient& graph);

/// Producers before consumers, the smallest number first where there is a choice; what lies in a cycle comes last.
std::vector<Index> executionOrder(const Quotient& graph);

} // namespace sunder::collapse
