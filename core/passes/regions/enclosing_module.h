#pragma once

#include "ir/program.h"

#include <span>

namespace sunder {

/// Returns the path of the innermost enclosing module of all `nodes` of the root graph; empty if that is the root module. Ignores
/// nodes without a module. O(nodes × depth of their stacks).
InternedString enclosingModule(const Program& program, std::span<const NodeId> nodes);

} // namespace sunder
