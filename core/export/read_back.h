#pragma once

#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <string>

namespace sunder {

/// Reads a part that was written and compares it with what should be in it: nodes in order, signature, tensors, and,
/// with the verifier, what it computes. Fails naming file and node. Linear.
Result<void> checkReadBack(const Program& part, const std::string& path, ProgressMonitor& monitor);

} // namespace sunder
