#pragma once

#include "layout/collapse/collapse.h"
#include "layout/picture/picture_values.h"

#include <vector>

namespace sunder::collapse {

/// The input for the texts and sizes of items.
struct ItemSource {
    const Program& program;
    const Graph& graph;
    const ScopeTree& scopes;
    const UnitGraph& units;
    const Collapsed& collapsed;
    const ValueFlow& flow;
    const PictureOptions& options;
};

/// Sets the texts, nodes, numbers, and chips of every entry. Items without nested items get their size, and their chips get
/// positions relative to the item's top-left corner. Frames get the minimum width for their title. Linear in nodes per level.
std::vector<Item> itemsOf(const ItemSource& source);

/// Shortens the texts of an item without nested items to fit, and sets its size.
void sizeClosed(Item& item, const TextWidth& textWidth);

/// Returns the item that shows each node, by NodeId index. Weights belong to their first consumer.
std::vector<ItemId> itemOfNodes(const UnitGraph& units, const Collapsed& collapsed);

} // namespace sunder::collapse
