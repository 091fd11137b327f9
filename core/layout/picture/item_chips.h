#pragma once

#include "layout/picture/item_looks.h"

namespace sunder::collapse {

/// Adds the chips of an entry to its item, whose size is known. Chips are in columns to its right, at most as high as the item,
/// or in lines below it if edges flow to the right. A last chip counts those that do not fit. The text is the variable name in
/// the source, else the module that produces the value, else the node.
void addChips(const ItemSource& source, Index entry, Item& item);

/// Shortens the texts of an item's chips to fit, and places the chips as described above.
void placeChips(Item& item, FlowDirection direction, const TextWidth& textWidth);

/// Returns the text of a chip for a value.
std::string chipText(const ItemSource& source, NodeId value);

} // namespace sunder::collapse
