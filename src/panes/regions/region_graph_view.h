#pragma once

#include "panes/graph_view.h"
#include "passes/deduplicate/region_details.h"

namespace sunder {

/// The graph of a group's representative. It speaks of places in a region: the n-th node of each occurrence.
class RegionGraphView final : public GraphView {
    Q_OBJECT

public:
    RegionGraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);

    /// Null shows nothing.
    void setDetails(std::shared_ptr<const RegionDetails> details, const QString& name);
    /// How the nodes of an occurrence are tagged: `tags` one a place.
    void setTags(const Theme& theme, std::vector<TagLook> looks, const std::vector<std::int32_t>& tags);
    void showSelected(const std::vector<std::size_t>& places);
    /// Of an edge of the source what it is here, if this is the place of its reader.
    void showEdge(const Graph& source, const EdgeEnds& edge, std::size_t place);
    /// The edge by which the node of a place leaves the region.
    void showOutput(std::size_t place);
    /// What an edge of this graph is in one occurrence, whose nodes are `region`; of the graph of no run yet. Nothing where nothing of
    /// the region reads it.
    [[nodiscard]] std::optional<SelectedEdge> inSource(const SelectedEdge& edge, const Graph& source,
                                                       std::span<const NodeId> region) const;
    void showHovered(const std::vector<std::size_t>& places);
    void showFound(const std::vector<std::size_t>& places);
    /// The node that stands for a place; invalid when there is none.
    [[nodiscard]] NodeId nodeAt(std::size_t place) const;

signals:
    /// What is selected now, as places.
    void picked(const std::vector<std::size_t>& places);
    void placesHovered(const std::vector<std::size_t>& places);

private:
    [[nodiscard]] std::vector<std::size_t> placesOf(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::vector<NodeId> nodesOf(const std::vector<std::size_t>& places) const;
    void pick(const std::vector<NodeId>& nodes, SelectionMode mode);

    std::shared_ptr<const RegionDetails> m_details;
    std::vector<std::size_t> m_placeOf; ///< per node of the graph: its place, or the number of places
    std::vector<std::size_t> m_selected;
};

} // namespace sunder
