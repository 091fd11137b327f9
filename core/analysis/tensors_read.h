#pragma once

#include "ir/program.h"
#include "ir/tensor_table.h"

#include <cstddef>
#include <vector>

namespace sunder {

/// Differences between the weights of two programs. Weights are matched by name and compared by size and the CRC in the file
/// directory; no weight data is read.
struct WeightChanges {
    std::size_t equal = 0;
    std::size_t unknown = 0; ///< weights without a CRC in one of the files
    std::size_t onlyBefore = 0;
    std::size_t onlyAfter = 0;
    std::vector<InternedString> others = {}; ///< weights with different values
};

/// Compares the weights of two programs. O(tensors).
WeightChanges weightChanges(const TensorTable& before, const TensorTable& after);

/// Returns the distinct parameters, buffers, and constants that a node of the root graph reads: first those in its arguments, in
/// order, then those of modules that it calls or receives, including submodules. For a placeholder or get_attr node, its own
/// tensor. O(arguments + inputs of the program + tensors × depth of their names).
std::vector<TensorId> tensorsReadBy(const Program& program, NodeId id);

} // namespace sunder
