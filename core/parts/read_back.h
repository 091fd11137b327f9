#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"
#include "verify/tensor_contents.h"

#include <string>

namespace sunder {

/// Reads a part that was written and compares it with what should be in it: nodes in order, signature, tensors, and,
/// with the verifier, what it computes and what its weights hold, which is
/// returned. `laterFolder`: the folder that it will be in. Fails naming file and node. Linear.
Result<ContentsReport> checkReadBack(const Program& part, const std::string& path, const std::string& laterFolder,
                                     ProgressMonitor& monitor);

} // namespace sunder
