#pragma once

#include "verify/verify.h"

namespace sunder {

/// Does a pass's result compute what its source does? verify() of two programs that share storages, as a program and
/// what a pass made of it do; linear, fails only with ErrorCode::cancelled.
inline Result<VerifyReport> verifyResult(const Program& source, const Program& result,
                                         ProgressMonitor& monitor = ProgressMonitor::none())
{
    return verify(source, result, {.sharedStorages = true}, monitor);
}

} // namespace sunder
