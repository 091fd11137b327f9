#pragma once

#include "layout/collapse/collapse_units.h"

#include <span>

namespace sunder::collapse {

/// Finds the units that folded calls belong to. Tagging a drawn unit tags its folded calls too and must never make a part read
/// from a later part. The unit is the first of:
/// - the producer of the call's last operand, if it is in the call's module,
/// - the first reader of that operand in the call's module,
/// - the producer in any module,
/// - for inputs and parameters, any reader,
/// - a neighbor.
class FoldedCalls {
public:
    /// `isFolded` has one entry per NodeId index; scopes of the units are already set.
    FoldedCalls(const Graph& graph, const ScopeTree& scopes, std::span<const char> isFolded, UnitGraph& units)
        : m_graph(graph), m_scopes(scopes), m_isFolded(isFolded), m_units(units), m_positions(graph.positions())
    {
    }

    /// Fills `folded`, and `unitOf` of folded calls and of weights that only these read. Without `modules`, all calls are treated
    /// as being in the root scope. O(nodes + arguments).
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
    Index m_neighbor = kNone; ///< the last call unit before the current call, else the first one
};

} // namespace sunder::collapse
