#pragma once

#include "ir/tensor_table.h"

#include <cstddef>
#include <vector>

namespace sunder {

/// How the weights of two programs differ by their names, and by the sizes and CRCs that their files' directories give: no
/// weight is read.
struct WeightChanges {
    std::size_t equal = 0;
    std::size_t unknown = 0; ///< of these a file gives no CRC
    std::size_t onlyBefore = 0;
    std::size_t onlyAfter = 0;
    std::vector<InternedString> others = {}; ///< that hold other values
};

/// O(tensors).
WeightChanges weightChanges(const TensorTable& before, const TensorTable& after);

} // namespace sunder
