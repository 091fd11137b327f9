#pragma once

#include "ir/structural_hash.h"
#include "layout/collapse/collapse_units.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// Hashes the computation of a set of units: ops, targets, literals, shapes, wiring, and inner modules. Ignores names, the
/// identity of parameters, and the sources of outside values, except for which of them are the same.
class StructureHasher {
public:
    StructureHasher(const Graph& graph, const ScopeTree& scopes, const UnitGraph& units);

    /// `units` are in graph order and below `scope`. Linear in their nodes, arguments, and shapes.
    std::uint64_t hash(std::span<const Index> units, Index scope);
    /// The same without literals, shapes, and wiring: only ops and inner modules, in order. Equal for the layers of a dense
    /// block.
    std::uint64_t hashOfKind(std::span<const Index> units, Index scope);

private:
    std::uint64_t hashOfNode(NodeId id);
    std::uint64_t hashOfScope(Index inner, Index outer);

    const Graph& m_graph;
    const ScopeTree& m_scopes;
    const UnitGraph& m_units;
    StructuralHash m_hash;
    std::vector<std::uint64_t> m_own;   ///< per NodeId index: hash without wiring; 0: not yet computed
    std::vector<std::uint64_t> m_tail;  ///< per scope: hash of its name relative to its parent
    std::vector<Index> m_label;         ///< per NodeId index: its number within the set
    std::vector<Index> m_labeledIn;    ///< per NodeId index: the call that set the label
    Index m_call = 0;
};

} // namespace sunder::collapse
