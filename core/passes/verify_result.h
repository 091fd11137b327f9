#pragma once

#include "verify/verify.h"

namespace sunder {

/// Verifies that a pass result is equivalent to its source. Calls verify() for two programs that share storages. Linear; fails
/// only with ErrorCode::cancelled.
inline Result<VerifyReport> verifyResult(const Program& source, const Program& result,
                                         ProgressMonitor& monitor = ProgressMonitor::none())
{
    return verify(source, result, {.sharedStorages = true}, monitor);
}

} // namespace sunder
