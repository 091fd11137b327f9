#pragma once

#include "layout/collapse.h"

#include <vector>

namespace sunder::collapse {

/// Values that go from one item to another by a drawn edge.
struct Dependency {
    Index from = 0; ///< entries
    Index to = 0;
    std::vector<NodeId> values; ///< in graph order
};

/// How values get from item to item.
struct ValueFlow {
    std::vector<Dependency> dependencies;   ///< by reader, then by producer
    std::vector<std::vector<NodeId>> chips; ///< per entry: the values that it reads without an edge, in graph order
    std::vector<Index> readers;             ///< per entry: most readers of a value of its that chips stand for; or 0
};

/// A value that more than `chipReaders` items read (members of a run count each) gets an edge to its first reader and
/// chips at the others; but whatever an item reads from its nearest producer comes by an edge, so that the picture
/// stays connected and in order of execution. Linear but for sorting the readers of each value.
ValueFlow flowOf(const UnitGraph& units, const Collapsed& collapsed, Index chipReaders);

} // namespace sunder::collapse
