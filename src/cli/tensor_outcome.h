#pragma once

#include "cli/command.h"
#include "ir/program.h"

#include <string>

namespace sunder::cli {

/// What there is to say of one weight, called `name` or read by a node of that name: its facts, its statistics, and where its elements
/// were saved (--save-npy). Errors: usage where there is none, else those of writeNpy() and tensorStatistics(); a dtype without
/// statistics, and a model that holds no bytes, are no errors. O(bytes of the weight).
Result<Outcome> tensorOutcome(const Invocation& invocation, const Program& program, const std::string& name);

} // namespace sunder::cli
