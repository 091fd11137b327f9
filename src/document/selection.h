#pragma once

#include "ir/ids.h"
#include "layout/picture/picture_edges.h"

#include <QString>

#include <algorithm>
#include <optional>
#include <vector>

namespace sunder {

/// An edge of a picture: what flows between two of its items.
struct SelectedEdge {
    int run = 0;    ///< of whose program the graph is; 0: the source
    GraphId graph;
    std::vector<ValueBetween> values; ///< at least one

    /// What pictures of the graph know it by.
    [[nodiscard]] EdgeEnds ends() const
    {
        return {values.front().value, values.front().readers.empty() ? NodeId() : values.front().readers.front()};
    }
};

/// What is selected: nodes of the source. What stands for them in the program of a run, the document says
/// (Document::selectedIn), so any number of results can be beside the source.
struct Selection {
    std::vector<NodeId> source;  ///< nodes of the source's root graph, by id
    int run = 0;                 ///< in whose program the person picked; 0: in the source
    std::vector<NodeRef> picked; ///< there, and what else stands for the same node; empty when picked in the source
    /// What was picked, when it was one node, in the program of `run` or the source: an op is one with the weights and other nodes that
    /// are folded into its box.
    NodeRef focus;
    QString what = {}; ///< "layers.15" when a module was picked as a whole
    std::optional<SelectedEdge> edge = {}; ///< instead of nodes

    [[nodiscard]] bool empty() const { return source.empty() && picked.empty() && !edge; }
    /// The edge's ends, where it is one of this graph; nothing for another.
    [[nodiscard]] std::optional<EdgeEnds> edgeIn(int inRun, GraphId graph) const
    {
        return edge && edge->run == inRun && edge->graph == graph ? std::optional(edge->ends()) : std::nullopt;
    }
};

/// Sorts, and leaves each once. O(n) for what is sorted already.
template <typename T>
void makeSet(std::vector<T>& values)
{
    if (!std::is_sorted(values.begin(), values.end()))
        std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

} // namespace sunder
