#pragma once

#include "cli/command.h"
#include "tagging/automatic_tags.h"

namespace sunder::cli {

/// A requested way of tagging.
struct AutomaticTagging {
    TaggingRequest wish;
    std::string begin = {}; ///< TAG=NAME: a boundary to move, instead of `wish`; may be empty
};

/// Returns the request for "earliest" or "latest" tags of untagged nodes.
AutomaticTagging fillingOf(const std::string& word);
/// Parses TAG=NAME, the node or module where a tag is to begin. Errors name `spelling`, e.g. "--begin".
Result<AutomaticTagging> beginningOf(const std::string& words, const std::string& spelling);

/// Tags the model, or changes the tags of --tags, writes them to -o with the colors of kept tags, and describes the stages.
/// --backward takes precedence over the request.
Result<Outcome> runAutomaticTagging(const Invocation& invocation, const AutomaticTagging& asked);

} // namespace sunder::cli
