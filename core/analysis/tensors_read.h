#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// The parameters, buffers, and constants that a node of the root graph reads, without repetitions: first its arguments, in their order,
/// then those of the modules that it calls or is given, with all modules below. For a placeholder or get_attr node, its own tensor.
/// O(arguments + inputs of the program + tensors × depth of their names).
std::vector<TensorId> tensorsReadBy(const Program& program, NodeId id);

} // namespace sunder
