#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Runs `tag IN --rules RULES.json`: tags a model by rules.
Result<Outcome> runTagsByRules(const Invocation& invocation);

} // namespace sunder::cli
