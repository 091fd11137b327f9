#pragma once

#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// Describes the values between `ends`, "FROM:TO", each a node or a module, like the edge card of the window. If there are none,
/// the exit status is 1 and the output lists the consumers of FROM.
Result<Outcome> edgeOutcome(const Program& program, const std::string& ends);

} // namespace sunder::cli
