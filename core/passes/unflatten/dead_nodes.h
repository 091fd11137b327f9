#pragma once

#include "ir/program.h"

namespace sunder {

/// Removes nodes that compute what nothing uses, last first, from the root graph and from the graphs of modules. Calls that
/// write, assert, draw random numbers or are unknown stay, and so do calls of graphs with such calls. Assertions in unused regions go if
/// tensors are described as they assert. `asUpstream`: PyTorch does not look into graphs, so all unused calls of graphs go. Linear.
void removeDeadNodes(Program& program, bool asUpstream);

/// True if removeDeadNodes() would remove a node. Linear.
bool hasDeadNodes(const Program& program, bool asUpstream);

} // namespace sunder
