#pragma once

#include "cli/command.h"
#include "cli/tags.h"
#include "tagging/automatic_tags.h"

namespace sunder::cli {

/// The options of `tag` that make tags, or change those that there are.
void declareAutomaticTagging(QCommandLineParser& parser);

/// What the command line asks for. Exactly one way has to be asked for.
struct AutomaticTagging {
    TaggingWish wish;
    std::string begin = {}; ///< TAG=NAME: the border to be moved, in place of the wish; empty: none
};

Result<AutomaticTagging> askedTagging(const Invocation& invocation);

/// What one of those options makes of the model, with the colours of tags that stay. What is said of the stages goes into the
/// outcome.
Result<ColoredTags> automaticTags(const Invocation& invocation, const Program& program, const AutomaticTagging& asked,
                                  Outcome& outcome);

} // namespace sunder::cli
