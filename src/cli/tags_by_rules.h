#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// `tag IN --rules RULES.json`: the tags that rules give.
Result<Outcome> runTagsByRules(const Invocation& invocation);

} // namespace sunder::cli
