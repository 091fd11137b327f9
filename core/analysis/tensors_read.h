#pragma once

#include "ir/program.h"

#include <vector>

namespace sunder {

/// The parameters, buffers, and constants that a node of the root graph reads, each once: those of its arguments in their order, then
/// those in and below the modules that it calls or is given. Of a placeholder or get_attr node, the one that it stands for.
/// O(arguments + inputs of the program + tensors × depth of their names).
std::vector<TensorId> tensorsReadBy(const Program& program, NodeId id);

} // namespace sunder
