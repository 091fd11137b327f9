#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// The options of `tag` that create tags or assign them to nodes.
std::span<const CommandOption> automaticTaggingOptions();
/// Returns whether one of these options is given.
bool tagsAutomatically(const Invocation& invocation);
/// Tags the model as the options request, writes the tags to -o with the colors of kept tags, and describes the stages. Refused
/// unless exactly one way is requested.
Result<Outcome> runAutomaticTagging(const Invocation& invocation);

} // namespace sunder::cli
