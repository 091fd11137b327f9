#pragma once

#include "layout/picture/item_looks.h"

#include <span>
#include <string>
#include <vector>

namespace sunder::collapse {

/// Values that share one chip.
struct ChipGroup {
    std::span<const NodeId> values; ///< at least one; consecutive in the grouped list
    std::string text;               ///< for several values: "blocks.0.0 … 4 · conv2"; empty for one, which has its own text
};

/// Groups consecutive values that come from the same place in numbered siblings ("blocks.0.0.conv2", "blocks.0.1.conv2", …), in
/// the order of `values`. For example, the inputs of each layer of a dense block become one chip, from the second layer to the
/// last. Linear in the lengths of the paths. Spans point into `values`.
std::vector<ChipGroup> chipGroupsOf(const ItemSource& source, std::span<const NodeId> values);

} // namespace sunder::collapse
