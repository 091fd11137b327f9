#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <optional>

namespace sunder {

/// The program with its calls in normal form (normalize()): what is one operator of ATen is called as that, with
/// all arguments, and calls that hand on what they are given are gone. It computes the same as the program, for inputs as the
/// file describes them. Nothing where no call changes, or `monitor` was cancelled. `keepsShapes`: no tensor changes its shape or
/// strides in place, so that descriptions hold as long as their values; without it they are not used. Graphs that are called
/// several times stay as they are, since what the file says of their values is of one call. O(nodes + arguments).
std::optional<Program> normalForm(const Program& program, bool keepsShapes, OperatorCatalogue& operators,
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
