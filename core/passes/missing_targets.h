#pragma once

#include "ir/program.h"
#include "support/result.h"

namespace sunder {

/// Refuses a root graph that calls a module, or reads from a module, that the module tree does not have; the node and
/// the path are in the message. A tree that names no module at all says nothing, and then nothing is missing. O(nodes
/// × depth of targets).
Result<void> checkTargets(const Program& program);

} // namespace sunder
