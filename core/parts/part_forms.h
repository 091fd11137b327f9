#pragma once

#include "ir/program.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sunder {

/// Returns the error for a part of a plain torch.fx program that cannot be a `.pt2`, with the part's name.
Error partFormError(const std::string& part, const Error& why);

/// Returns why parts of a plain torch.fx program cannot be written as `.pt2`, in part order, at most `limit` errors. Empty for an
/// exported program. Excludes errors of separateCut(). Linear.
std::vector<Error> partFormRefusals(const Program& source, const SplitResult& split, std::size_t limit,
                                    ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
