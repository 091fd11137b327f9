#pragma once

#include "analysis/cut/boundary_calls.h"
#include "analysis/cut/move_preview.h"
#include "analysis/cut/part_interface.h"
#include "analysis/cut/shared_values.h"

#include <memory>

namespace sunder {

/// What the parts of a cut cost, and what a move of nodes would change. Linear in the model. Program and cut must outlive it.
class MeasuredCut {
public:
    static constexpr std::size_t kMostListed = 24;

    /// `graph`: the tables of the source under the rule, where another measure has them already.
    MeasuredCut(const Program& source, const TagAssignment& cut, MemoryRule rule,
                std::shared_ptr<const CutGraph> graph = nullptr);
    MeasuredCut(const MeasuredCut&) = delete;
    MeasuredCut& operator=(const MeasuredCut&) = delete;

    [[nodiscard]] const std::shared_ptr<const CutGraph>& graph() const { return m_graph; }
    [[nodiscard]] const TagAssignment& tags() const { return m_tags; }
    [[nodiscard]] const CutMetrics& metrics() const { return m_previewer.metrics(); }
    /// Part of a node of the source; kUntagged for what is no call.
    [[nodiscard]] std::int32_t partOf(NodeId id) const { return m_previewer.partOf(id); }
    /// Calls of each part, in graph order.
    [[nodiscard]] const std::vector<NodeId>& nodesOf(std::int32_t part) const { return m_nodes[static_cast<std::size_t>(part)]; }
    [[nodiscard]] const PartInterface& interfaceOf(std::int32_t part) const
    {
        return m_interfaces[static_cast<std::size_t>(part)];
    }
    /// Its calls at the border to other parts; of those that enter and those that leave the kMostListed that carry most.
    [[nodiscard]] const PartBoundary& boundaryOf(std::int32_t part) const { return m_boundaries[static_cast<std::size_t>(part)]; }
    /// What goes between the parts, as pictures show it.
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
    std::vector<PartInterface> m_interfaces;
    std::vector<PartBoundary> m_boundaries;
    DrawnCut m_drawn;
};

} // namespace sunder
