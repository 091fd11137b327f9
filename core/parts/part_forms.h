#pragma once

#include "ir/program.h"
#include "passes/split_result.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sunder {

/// Why a part of a plain torch.fx program can be no `.pt2`, with its name.
Error partFormError(const std::string& part, const Error& why);

/// What stands in the way of `.pt2` parts of a plain torch.fx program, part after part, at most `limit`: the errors that exporting
/// them has, each as if it were the only one. None of an exported program. Linear, and errors of separateCut() are none here.
std::vector<Error> partFormRefusals(const Program& source, const SplitResult& split, std::size_t limit,
                                    ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
