#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <optional>

namespace sunder {

/// Returns the program in normal form. Python functions and methods become equivalent calls of ATen operators with all arguments
/// (normalize()); calls that return their argument, and unused calls that cannot fail, are removed. The result is equivalent for
/// inputs that match their descriptions.
///
/// Returns nothing if no call changes. Fails with ErrorCode::cancelled. `keepsShapes`: no tensor changes its shape or strides in
/// place; otherwise descriptions are not used. Graphs with several callers are not changed, because their descriptions are for
/// one call only. O(nodes + arguments).
Result<std::optional<Program>> normalForm(const Program& program, bool keepsShapes, OperatorCatalog& operators,
                                          ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
