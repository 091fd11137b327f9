#pragma once

#include "analysis/schedule/pipeline_model.h"
#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// Runs `schedule --sweep`: a row for each combination of --schedule, --micro-batches, and --stages.
Result<Outcome> runSweep(const Invocation& invocation, const Program& program, const PipelineModelOptions& options);

/// Returns the value of an option: numbers of at least 1, separated by commas.
Result<std::vector<std::uint32_t>> numbersOf(const Invocation& invocation, const char* option);

} // namespace sunder::cli
