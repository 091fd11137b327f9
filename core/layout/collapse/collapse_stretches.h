#pragma once

#include "layout/collapse/collapse_units.h"
#include "support/strong_components.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// A directed graph over 0 … count - 1, stored by incoming edges. Duplicate edges and self-loops are allowed.
struct Quotient {
    Index count = 0;
    std::vector<Index> inStart;
    std::vector<Index> in;
};

/// Builds a graph. `forEachEdge(visit)` calls `visit(from, to)` for every edge; it is called twice and must keep the order.
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

/// Turns a grouping of units (`groupOf`, one group per position in `units`) into a graph of groups. Reads from units that are not
/// in `units` are ignored. The tables are reused between calls, so that all levels of a picture together stay linear.
class Grouping {
public:
    explicit Grouping(const UnitGraph& graph) : m_graph(graph), m_place(graph.size(), kNone) {}

    /// `units` are in graph order. Linear in the units and their reads.
    Quotient quotient(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount);

    /// Divides groups until their graph has no cycle. Groups outside cycles stay whole. A group in a cycle is divided into as few
    /// stretches as execution order allows, and each stretch becomes a group. Returns the new group of each unit; groups are
    /// numbered by their first unit, as they must be in `groupOf`. Linear.
    std::vector<Index> divideCycles(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount);

private:
    void enter(std::span<const Index> units);
    void leave(std::span<const Index> units);

    const UnitGraph& m_graph;
    std::vector<Index> m_place; ///< per unit: its position in `units`; kNone between calls
};

/// Returns the strongly connected components of the nodes.
StrongComponents componentsOf(const Quotient& graph);

/// Returns the nodes with producers before consumers, the smallest number first among several candidates. Nodes that are in a
/// cycle, or depend on one, come last.
std::vector<Index> executionOrder(const Quotient& graph);

} // namespace sunder::collapse
