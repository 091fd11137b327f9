#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

#include <vector>

namespace sunder::collapse {

/// What the looks of items are made from.
struct ItemSource {
    const Program& program;
    const Graph& graph;
    const ScopeTree& scopes;
    const UnitGraph& units;
    const Collapsed& collapsed;
    const ValueFlow& flow;
    const PictureOptions& options;
};

/// Gives every entry its texts, nodes, figures and chips. Items without others inside have their size, and chips
/// their places, relative to the item's upper left corner; frames have the least width that their title needs.
/// Linear in nodes a level.
std::vector<Item> itemsOf(const ItemSource& source);

/// Per NodeId index the item that shows it; weights are with their first reader.
std::vector<ItemId> itemOfNodes(const UnitGraph& units, const Collapsed& collapsed);

} // namespace sunder::collapse
