#pragma once

#include "ir/ids.h"
#include "layout/picture/picture_edges.h"
#include "support/sort_unique.h"

#include <QString>

#include <algorithm>
#include <optional>
#include <vector>

namespace sunder {

/// An edge in a view: the values between two items.
struct SelectedEdge {
    int run = 0;    ///< run whose program contains the graph; 0: the source
    GraphId graph;
    std::vector<ValueBetween> values; ///< at least one

    /// Returns the key of the edge in graph views.
    [[nodiscard]] EdgeEnds ends() const
    {
        return {values.front().value, values.front().readers.empty() ? NodeId() : values.front().readers.front()};
    }
};

/// Selected nodes of the source. Marks::selectedIn() returns their counterparts in the program of a run, so any number of
/// results can be shown.
struct Selection {
    std::vector<NodeId> source;  ///< nodes of the source's root graph, by id
    int run = 0;                 ///< run in whose program the user picked; 0: the source
    std::vector<NodeRef> picked; ///< picked nodes of that program and their equivalents; empty if picked in the source
    /// The picked node if there was only one, in the program of `run` or the source. An op includes the weights and other nodes
    /// that are folded into its box.
    NodeRef focus;
    QString what = {}; ///< "layers.15" if a module was picked as a whole
    std::optional<SelectedEdge> edge = {}; ///< instead of nodes

    [[nodiscard]] bool empty() const { return source.empty() && picked.empty() && !edge; }
    /// Returns the ends of the edge if it is in this graph.
    [[nodiscard]] std::optional<EdgeEnds> edgeIn(int inRun, GraphId graph) const
    {
        return edge && edge->run == inRun && edge->graph == graph ? std::optional(edge->ends()) : std::nullopt;
    }
};

/// Sorts and removes duplicates. O(n) for sorted input.
template <typename T>
void makeSet(std::vector<T>& values)
{
    if (!std::is_sorted(values.begin(), values.end()))
        sortUnique(values);
}

} // namespace sunder
