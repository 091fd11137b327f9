#pragma once

#include "layout/collapse/collapse_units.h"

#include <span>

namespace sunder::collapse {

/// Finds the units that folded calls go with, so that painting what is drawn paints them as well and never makes a part read
/// from a later one: that of what such a call looks at, where both lie in one module; else that of the first reader of the
/// same value which lies in the call's module; else what made the value; for inputs and parameters any of their readers; else
/// a neighbour.
class FoldedCalls {
public:
    /// `isFolded` is per NodeId index; units have their scopes.
    FoldedCalls(const Graph& graph, const ScopeTree& scopes, std::span<const char> isFolded, UnitGraph& units)
        : m_graph(graph), m_scopes(scopes), m_isFolded(isFolded), m_units(units), m_positions(graph.positions())
    {
    }

    /// Fills `folded`, and `unitOf` of folded calls and of weights that only they read. Without `modules` all lies in the
    /// root. O(nodes + arguments).
    void assign(bool modules);

private:
    [[nodiscard]] Index unitFor(NodeId id, Index scope) const;
    [[nodiscard]] NodeId lastOperand(NodeId id) const;
    [[nodiscard]] Index readerOf(NodeId value, Index scope) const;
    [[nodiscard]] bool isCallUnit(Index unit) const;
    [[nodiscard]] bool isIn(Index unit, Index scope) const;
    void list();

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    std::span<const char> m_isFolded;
    UnitGraph& m_units;
    std::vector<std::uint32_t> m_positions;
    Index m_neighbour = kNone; ///< the last unit of a call before the call that is placed, or else the first one
};

} // namespace sunder::collapse
