#pragma once

#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// What flows along `ends`, "FROM:TO", each a node or a module, as the card of an edge says in the window. Where nothing does: exit
/// status 1, and who reads FROM instead.
Result<Outcome> edgeOutcome(const Program& program, const std::string& ends);

} // namespace sunder::cli
