#pragma once

#include "layout/picture/item_looks.h"

#include <span>
#include <string>
#include <vector>

namespace sunder::collapse {

/// Values that one chip stands for.
struct ChipGroup {
    std::span<const NodeId> values; ///< one behind the other in the list that was grouped, at least one
    std::string text;               ///< of several "blocks.0.0 … 4 · conv2"; empty for one: it has a text of its own
};

/// Values that siblings which count up make at the same place ("blocks.0.0.conv2", "blocks.0.1.conv2", …) as one group, which
/// says how they are read: what each layer of a dense block reads is one chip, from the second layer to the last. Linear in
/// the lengths of the paths. Spans point into `values`.
std::vector<ChipGroup> chipGroupsOf(const ItemSource& source, std::span<const NodeId> values);

} // namespace sunder::collapse
