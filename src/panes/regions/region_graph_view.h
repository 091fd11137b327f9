#pragma once

#include "panes/graph_view.h"
#include "passes/deduplicate/region_details.h"

namespace sunder {

/// The graph of a group's representative. Its nodes are addressed as places in the region: place n is the n-th node of each
/// occurrence.
class RegionGraphView final : public GraphView {
    Q_OBJECT

public:
    RegionGraphView(Jobs& jobs, std::shared_ptr<const LayoutEngine> engine, QWidget* parent = nullptr);

    /// Sets the region; null clears the view.
    void setDetails(std::shared_ptr<const RegionDetails> details, const QString& name);
    /// Sets the tags of the current occurrence: `tags` has one per place.
    void setTags(const Theme& theme, std::vector<TagLook> looks, const std::vector<std::int32_t>& tags);
    void showSelected(const std::vector<std::size_t>& places);
    /// Selects the counterpart of a source edge whose consumer is at this place.
    void showEdge(const Graph& source, const EdgeEnds& edge, std::size_t place);
    /// Selects the edge by which the node at this place leaves the region.
    void showOutput(std::size_t place);
    /// Maps an edge of this graph to the source, in the occurrence with the nodes `region`. The result has no run number yet.
    /// Returns nothing if no node of the region uses the edge's value.
    [[nodiscard]] std::optional<SelectedEdge> inSource(const SelectedEdge& edge, const Graph& source,
                                                       std::span<const NodeId> region) const;
    void showHovered(const std::vector<std::size_t>& places);
    void showFound(const std::vector<std::size_t>& places);
    /// Returns the node at a place; invalid if there is none.
    [[nodiscard]] NodeId nodeAt(std::size_t place) const;

signals:
    /// Emitted with the new selection, as places.
    void picked(const std::vector<std::size_t>& places);
    void placesHovered(const std::vector<std::size_t>& places);

private:
    [[nodiscard]] std::vector<std::size_t> placesOf(const std::vector<NodeId>& nodes) const;
    [[nodiscard]] std::vector<NodeId> nodesOf(const std::vector<std::size_t>& places) const;
    void pick(const std::vector<NodeId>& nodes, SelectionMode mode);

    std::shared_ptr<const RegionDetails> m_details;
    std::vector<std::size_t> m_placeOf; ///< per node of the graph: its place, or the number of places if it has none
    std::vector<std::size_t> m_selected;
};

} // namespace sunder
