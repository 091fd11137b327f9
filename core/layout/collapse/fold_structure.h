#pragma once

#include "layout/collapse/collapse_units.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// Hashes what a set of units computes: ops, targets, literals, shapes, wiring and the modules inside; not names, not
/// which parameters, not where values from outside come from, only which of them are the same.
class StructureHasher {
public:
    StructureHasher(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units);

    /// `units` in graph order, all below `scope`. Linear in their nodes, arguments and shapes.
    std::uint64_t hash(std::span<const Index> units, Index scope);
    /// The same without literals, shapes and wiring: which ops and modules inside, in their order. Equal for the layers of
    /// a dense block.
    std::uint64_t hashOfKind(std::span<const Index> units, Index scope);

private:
    std::uint64_t hashOfNode(NodeId id);
    std::uint64_t hashOfScope(Index inner, Index outer);

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    const UnitGraph& m_units;
    std::vector<std::uint64_t> m_own;   ///< per NodeId index: hash without wiring; 0 when not yet known
    std::vector<std::uint64_t> m_tail;  ///< per scope: hash of its name below its parent
    std::vector<Index> m_label;         ///< per NodeId index: its number in the set
    std::vector<Index> m_labelledIn;    ///< per NodeId index: in which call that was
    Index m_call = 0;
};

} // namespace sunder::collapse
