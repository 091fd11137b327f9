#pragma once

#include "analysis/training/training_graph.h"
#include "passes/balance/balance_program.h"

#include <cstdint>

namespace sunder {

enum class ProblemUse : std::uint8_t {
    search,  ///< refuses problems with more stages than ops or units
    measure, ///< any number of devices
};

/// Fills everything in a plan but tags, result, and bindings. Returns the training graph of the program. Errors as for
/// balanceProgram(). O(nodes + arguments), and the costs of nodes for each kind of device.
Result<TrainingGraph> buildProblem(const Program& program, const BalanceOptions& options, BalancePlan& plan, ProblemUse use,
                                   ProgressMonitor& monitor);

} // namespace sunder
