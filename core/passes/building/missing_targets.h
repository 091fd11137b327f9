#pragma once

#include "ir/program.h"
#include "support/result.h"

#include <span>

namespace sunder {

/// Checks that every module which `targeting` calls or reads from exists in the module tree. `targeting`: call_module and
/// get_attr nodes of the root graph. Returns ErrorCode::refused otherwise; the message names the node and the path. Always
/// succeeds if the module tree contains only the root. O(targets × their depth).
Result<void> checkTargets(const Program& program, std::span<const NodeId> targeting);

} // namespace sunder
