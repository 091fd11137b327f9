#pragma once

#include "layout/collapse/collapse.h"

#include <vector>

namespace sunder::collapse {

/// Values that go from one item to another by a drawn edge.
struct Dependency {
    Index from = 0; ///< entries
    Index to = 0;
    std::vector<NodeId> values; ///< in graph order
};

/// A value that chips stand for.
struct WideValue {
    NodeId value;
    Index readers = 0; ///< runs counted in full
};

/// How values get from item to item.
struct ValueFlow {
    std::vector<Dependency> dependencies;   ///< by reader, then by producer
    std::vector<std::vector<NodeId>> chips; ///< per entry: the values that it reads without an edge, in graph order
    std::vector<WideValue> widest;          ///< per entry: of its values that chips stand for the one most read
};

/// A value that more than `chipReaders` items read (members of a run count each) gets an edge to its first reader and
/// chips at the others; likewise all but the nearest of an item's inputs when more than `chipInputs` of them are read
/// by two others at least, and these then at their other readers too. Whatever an item reads from its nearest producer comes by an edge, and what depends on an
/// input is reached from one by edges: the picture stays connected and in order of execution. Inputs set aside are chips
/// at all their readers. Linear but for sorting the readers of each value.
ValueFlow flowOf(const Graph& graph, const UnitGraph& units, const Collapsed& collapsed, const PictureOptions& options);

} // namespace sunder::collapse
