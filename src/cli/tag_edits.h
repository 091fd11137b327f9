#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// The options of `tag` that edit the tag list.
std::span<const CommandOption> tagEditOptions();
/// Returns whether one of these options is given.
bool editsTags(const Invocation& invocation);
/// Applies the options to the tags of --tags, or of the nodes: renames, then merges, then the order. Writes the result to -o;
/// colors follow renamed tags.
Result<Outcome> runTagEdits(const Invocation& invocation);

} // namespace sunder::cli
