#pragma once

#include "ir/program.h"

#include <optional>

namespace sunder {

/// Returns a node through which a graph contains itself; nothing if there is none. The inner graph is an argument of the node, or
/// belongs to the module that the node calls or reads, and leads back to the node's own graph. Such a program does not terminate
/// and cannot be run. Linear in nodes and arguments.
std::optional<NodeRef> nodeThatHoldsItsOwnGraph(const Program& program);

} // namespace sunder
