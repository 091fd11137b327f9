#pragma once

#include "ir/program.h"
#include "operators/operator_catalogue.h"
#include "support/progress_monitor.h"

#include <optional>

namespace sunder {

/// The program with the calls of its root graph in normal form (normalize()): what is one operator of ATen is called as that, with
/// all arguments, and calls that hand on what they are given are gone. It computes the same as the program, for inputs as the
/// file describes them. Nothing where no call changes, or `monitor` was cancelled. Only for programs in which no tensor changes
/// its shape or strides in place: there a description holds as long as its value. Other graphs stay as they are, since what the
/// file says of their values may be of another call. O(nodes + arguments).
std::optional<Program> normalForm(const Program& program, OperatorCatalogue& operators,
                                  ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
