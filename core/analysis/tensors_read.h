#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// Returns the distinct parameters, buffers, and constants that a node of the root graph reads: first those in its arguments, in
/// order, then those of modules that it calls or receives, including submodules. For a placeholder or get_attr node, its own
/// tensor. O(arguments + inputs of the program + tensors × depth of their names).
std::vector<TensorId> tensorsReadBy(const Program& program, NodeId id);

} // namespace sunder
