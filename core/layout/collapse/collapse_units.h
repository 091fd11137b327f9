#pragma once

#include "layout/collapse/collapse_scopes.h"
#include "layout/picture/picture.h"

#include <span>
#include <vector>

namespace sunder::collapse {

/// A parameter, buffer or constant that is read, or an input that the options set aside.
struct Weight {
    NodeId node;
    Index storage = 0; ///< equal for weights that share memory; less than UnitGraph::storageCount
    std::uint64_t bytes = 0;
    bool isAside = false;
};

/// A value that a unit reads.
struct Read {
    Index producer = 0; ///< unit
    NodeId value;
};

/// A graph in units: what the picture never divides. A unit is an op with the getitems on its result, an input or the
/// output; getitems on what a module with a graph gives are units of their own. Parameters, buffers, constants and get_attrs are no units: they are weights of the units that read them.
/// Units are in graph order.
struct UnitGraph {
    std::vector<NodeId> heads; ///< per unit: the op itself
    std::vector<Index> scopeOf; ///< per unit
    std::vector<Index>
        unitOf; ///< per NodeId index; a weight: its first reader; what is folded: whom it goes with; kNone: not shown
    std::vector<Index> nodeStart; ///< nodes of unit u: nodes[nodeStart[u]] … nodes[nodeStart[u + 1]]
    std::vector<NodeId> nodes; ///< head and getitems, in graph order
    std::vector<Index> foldedStart; ///< of unit u: folded[foldedStart[u]] … folded[foldedStart[u + 1]]
    std::vector<NodeId> folded; ///< assertions and calls that nobody reads, which go with a unit and are not drawn
    std::vector<Index> readStart;
    std::vector<Read> reads; ///< distinct values of other units, in order of the arguments
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

/// Linear in nodes and uses. Where options do not collapse, every unit is in the root scope. Unfinished once
/// `monitor` was cancelled.
UnitGraph unitsOf(const Program& program, GraphId graph, const ScopeTree& scopes, const PictureOptions& options,
                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder::collapse
