#pragma once

#include "layout/collapse/collapse.h"

#include <vector>

namespace sunder::collapse {

/// Values that a drawn edge carries from one item to another.
struct Dependency {
    Index from = 0; ///< entries
    Index to = 0;
    std::vector<NodeId> values; ///< in graph order
};

/// A value that is shown by chips.
struct WideValue {
    NodeId value;
    Index readers = 0; ///< counting each member of a run
};

/// Values between items, as edges and chips.
struct ValueFlow {
    std::vector<Dependency> dependencies;   ///< by consumer, then by producer
    std::vector<std::vector<NodeId>> chips; ///< per entry: values that it reads without an edge, in graph order
    std::vector<WideValue> widest;          ///< per entry: its value with the most consumers among those shown by chips
};

/// Decides which values are shown as edges and which as chips.
///
/// A value with more than `chipReaders` consumers (counting each member of a run) gets an edge to its first consumer and chips at
/// the others. If an item has more than `chipInputs` inputs that at least two others read too, all of these but the nearest
/// become chips, also at their other consumers.
///
/// Values from an item's nearest producer always get an edge, and an item that depends on an input is reached from an input by
/// edges. So the picture stays connected and in execution order. Inputs that are set aside are chips at all consumers. Linear
/// except for sorting the consumers of each value.
ValueFlow flowOf(const Graph& graph, const UnitGraph& units, const Collapsed& collapsed, const PictureOptions& options);

} // namespace sunder::collapse
