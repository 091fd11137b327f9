#pragma once

#include "ir/program.h"

namespace sunder {

/// Removes dead ops, last first, from the root graph and from the graphs of modules. Keeps calls that write, assert, draw random
/// numbers or are unknown, and calls of graphs that contain such calls. Removes assertions in unused regions if they agree with
/// the descriptions of their tensors. `asUpstream`: like PyTorch, ignores the content of graphs and removes all unused calls of
/// them. Linear.
void removeDeadNodes(Program& program, bool asUpstream);

/// Returns whether removeDeadNodes() would remove a node. Linear.
bool hasDeadNodes(const Program& program, bool asUpstream);

} // namespace sunder
