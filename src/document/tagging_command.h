#pragma once

#include "analysis/tag_assignment.h"
#include "document/passes/cli_command.h"
#include "tagging/automatic_tags.h"

namespace sunder {

/// How tags were made without a hand on them, as a command of sunder-cli: `before` are those that there were. O(nodes).
CliCommand taggingCommand(const Graph& graph, const TaggingWish& wish, const TagAssignment& before);

} // namespace sunder
