#pragma once

#include "analysis/tag_assignment.h"
#include "document/passes/cli_command.h"
#include "tagging/automatic_tags.h"

namespace sunder {

/// Returns the sunder-cli command that repeats an automatic tagging: `tag`, `tags fill`, or `tags straighten`. `before` holds the previous tags. O(nodes).
CliCommand taggingCommand(const Graph& graph, const TaggingRequest& wish, const TagAssignment& before);

} // namespace sunder
