#pragma once

#include "layout/picture/item_looks.h"

namespace sunder::collapse {

/// Adds the chips of an entry beside its item, whose size is known: columns at its right side, at most as high as the
/// item, or lines below it where edges flow to the right; what does not fit is counted by a last chip. Texts come from the source's names, else from the module that
/// makes the value, else from the node.
void addChips(const ItemSource& source, Index entry, Item& item);

/// Gives the chips of an item their texts as far as they fit, and their places beside it, as above.
void placeChips(Item& item, FlowDirection direction, const TextWidth& textWidth);

/// What a chip of the value says.
std::string chipText(const ItemSource& source, NodeId value);

} // namespace sunder::collapse
