#pragma once

#include "analysis/cut/cut_edges.h"
#include "analysis/cut/move_preview.h"

#include <memory>

namespace sunder {

/// The costs of a cut's parts, and previews of moves. Linear in the model. Program and cut must outlive it.
class MeasuredCut {
public:
    static constexpr std::size_t kMaxListed = 24;

    /// `graph`: existing tables of the source under the rule, to share them between measurements.
    MeasuredCut(const Program& source, const TagAssignment& cut, MemoryRule rule,
                std::shared_ptr<const CutGraph> graph = nullptr);
    MeasuredCut(const MeasuredCut&) = delete;
    MeasuredCut& operator=(const MeasuredCut&) = delete;

    [[nodiscard]] const std::shared_ptr<const CutGraph>& graph() const { return m_graph; }
    [[nodiscard]] const TagAssignment& tags() const { return m_tags; }
    [[nodiscard]] const CutMetrics& metrics() const { return m_previewer.metrics(); }
    /// Returns the part of a source node; kUntagged for nodes that are not calls.
    [[nodiscard]] std::int32_t partOf(NodeId id) const { return m_previewer.partOf(id); }
    /// Returns the calls of a part in graph order.
    [[nodiscard]] const std::vector<NodeId>& nodesOf(std::int32_t part) const { return m_nodes[static_cast<std::size_t>(part)]; }
    [[nodiscard]] const GraphInterface& interfaceOf(std::int32_t part) const
    {
        return metrics().parts[static_cast<std::size_t>(part)].interface;
    }
    /// Returns the calls at the boundary of a part: the kMaxListed entering and leaving ones with the most bytes.
    [[nodiscard]] const PartBoundary& boundaryOf(std::int32_t part) const { return m_boundaries[static_cast<std::size_t>(part)]; }
    /// Returns the values that pass between parts, as drawn in pictures.
    [[nodiscard]] const DrawnCut& drawn() const { return m_drawn; }
    [[nodiscard]] MovePreview preview(std::span<const NodeId> nodes, std::int32_t to) const
    {
        return m_previewer.preview(nodes, to);
    }
    [[nodiscard]] Result<MovePreview> preview(std::span<const NodeId> nodes, std::int32_t to, ProgressMonitor& monitor) const
    {
        return m_previewer.preview(nodes, to, monitor);
    }

private:
    const TagAssignment& m_tags;
    std::shared_ptr<const CutGraph> m_graph;
    MovePreviewer m_previewer;
    std::vector<std::vector<NodeId>> m_nodes;
    std::vector<PartBoundary> m_boundaries;
    DrawnCut m_drawn;
};

} // namespace sunder
