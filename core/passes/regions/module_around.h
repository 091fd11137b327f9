#pragma once

#include "ir/program.h"

#include <span>

namespace sunder {

/// Path of the innermost module that holds all of `nodes` of the root graph; empty when only the model itself does.
/// Nodes that name no module do not count. O(nodes × depth of their stacks).
InternedString moduleAround(const Program& program, std::span<const NodeId> nodes);

} // namespace sunder
