#pragma once

#include "layout/collapse/collapse_scopes.h"
#include "layout/picture/picture.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// A parameter, buffer, or constant that is read, or an input that the options set aside.
struct Weight {
    NodeId node;
    Index storage = 0; ///< equal for weights that share storage; less than UnitGraph::storageCount
    std::uint64_t bytes = 0;
    bool isAside = false;
};

/// A value that a unit reads.
struct Read {
    Index producer = 0; ///< unit
    NodeId value;
};

/// A graph as units, the smallest pieces of a picture. A unit is an op with the getitems on its result, an input, or the output.
/// Getitems on the result of a module with a graph are separate units. Parameters, buffers, constants, and get_attrs are weights
/// of the units that read them. Units are in graph order.
struct UnitGraph {
    std::vector<NodeId> heads; ///< per unit: its op
    std::vector<Index> scopeOf; ///< per unit
    std::vector<Index>
        /// per NodeId index; of a weight: its first reader; of a folded call: the unit that includes it; kNone: not shown
        unitOf;
    std::vector<Index> nodeStart; ///< nodes of unit u: nodes[nodeStart[u]] … nodes[nodeStart[u + 1]]
    std::vector<NodeId> nodes; ///< head and getitems, in graph order
    std::vector<Index> foldedStart; ///< of unit u: folded[foldedStart[u]] … folded[foldedStart[u + 1]]
    std::vector<NodeId> folded; ///< assertions and unused calls, which belong to a unit and are not drawn
    std::vector<Index> readStart;
    std::vector<Read> reads; ///< distinct values of other units, in argument order
    std::vector<Index> weightStart;
    std::vector<Index> weightReads; ///< indices into weights, distinct within a unit
    std::vector<Weight> weights;
    std::vector<Index> weightOf; ///< per NodeId index: index into weights, or kNone
    Index storageCount = 0;

    [[nodiscard]] Index size() const { return static_cast<Index>(heads.size()); }
    [[nodiscard]] std::span<const NodeId> nodesOf(Index unit) const
    {
        return {nodes.data() + nodeStart[unit], nodes.data() + nodeStart[unit + 1]};
    }
    [[nodiscard]] std::span<const NodeId> foldedOf(Index unit) const
    {
        return {folded.data() + foldedStart[unit], folded.data() + foldedStart[unit + 1]};
    }
    [[nodiscard]] std::span<const Read> readsOf(Index unit) const
    {
        return {reads.data() + readStart[unit], reads.data() + readStart[unit + 1]};
    }
    [[nodiscard]] std::span<const Index> weightsOf(Index unit) const
    {
        return {weightReads.data() + weightStart[unit], weightReads.data() + weightStart[unit + 1]};
    }
};

/// Returns the units of a graph. Linear in nodes and uses. If the options disable collapsing, every unit is in the root scope.
/// Fails only when canceled.
Result<UnitGraph> unitsOf(const Program& program, GraphId graph, const ScopeTree& scopes, const PictureOptions& options,
                          ProgressMonitor& monitor);

} // namespace sunder::collapse
