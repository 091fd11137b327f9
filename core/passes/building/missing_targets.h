#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <span>

namespace sunder {

/// `targeting`: the call_module and get_attr nodes of the root graph. Refuses one that calls a module, or reads from a module, that the module tree does not have; the node and
/// the path are in the message. A tree that names no module at all says nothing, and then nothing is missing. O(these
/// nodes × depth of targets).
Result<void> checkTargets(const Program& program, std::span<const NodeId> targeting);

} // namespace sunder
