#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// The options of `tag` that make tags, or change which node has which.
void declareAutomaticTagging(QCommandLineParser& parser);
/// Whether one of them is given.
bool tagsAutomatically(const Invocation& invocation);
/// What that option makes of the model, written to -o with the colours of tags that stay. Says what the stages hold. Refused
/// unless exactly one way is asked for.
Result<Outcome> runAutomaticTagging(const Invocation& invocation);

} // namespace sunder::cli
