#pragma once

#include "ir/program.h"

#include <optional>

namespace sunder {

/// A node through which a graph holds itself: the graph stands in its arguments, or is that of the module that it calls
/// or reads, and leads back to the node's own graph. Such a program has no end; nothing runs it. Nothing when there is
/// none. Linear in nodes and arguments.
std::optional<NodeRef> nodeThatHoldsItsOwnGraph(const Program& program);

} // namespace sunder
