#pragma once

#include "cli/command.h"
#include "ir/program.h"

#include <string>

namespace sunder::cli {

/// Describes a weight, given by its name or by a node that reads it: metadata, statistics, and the file of its elements
/// (--save-npy). Returns ErrorCode::usage if there is no such weight, else the errors of writeNpy() and tensorStatistics(). A
/// dtype without statistics, or a model without weight data, is not an error. O(bytes of the weight).
Result<Outcome> tensorOutcome(const Invocation& invocation, const Program& program, const std::string& name);

} // namespace sunder::cli
