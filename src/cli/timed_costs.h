#pragma once

#include "analysis/cost/node_seconds.h"
#include "cli/command.h"
#include "ir/program.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder::cli {

/// The costs of a model, and its seconds.
struct TimedCosts {
    ProgramCosts costs;
    MeasuredCosts measured;
    ProgramSeconds seconds;
    std::vector<std::optional<double>> ofModules; ///< per `costs.modules`
    std::string device; ///< name; empty: none
};

/// Returns the measured costs of a project IN. Costs that name ops that the model lacks are left out, with a note.
MeasuredCosts projectCosts(const Invocation& invocation, const Program& program);

/// Reads the files of --costs, after the measured costs of a project IN.
Result<MeasuredCosts> measuredCostsFor(const Invocation& invocation, const Program& program);

/// The optimizer of training.
inline constexpr CommandOption kOptimizerOption =
    CommandOption{Takes::word, "optimizer", "sgd|momentum|adam", "Optimizer whose state is counted. Default: sgd."}.usually(
        "sgd");

/// Returns how many numbers that optimizer keeps for each parameter.
std::uint64_t statesPerParameter(const Invocation& invocation);

/// --devices, --device, and --costs.
std::span<const CommandOption> timedCostsOptions();

/// Counts the costs of a program, with seconds for --devices and --costs. Returns the errors of reading these files, and of
/// nodeSeconds().
Result<TimedCosts> timedCosts(const Invocation& invocation, const Program& program);

} // namespace sunder::cli
