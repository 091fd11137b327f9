#pragma once

#include "analysis/training/backward_tags.h"
#include "cli/command.h"

namespace sunder::cli {

/// Adds `--backward follow|apart`: whether the backward calls of a joint program get the tags of their forward calls.
void declareBackward(QCommandLineParser& parser);

/// Parses the option. Refuses other words.
Result<BackwardTags> backwardOf(const Invocation& invocation);

/// Returns the training graph if the backward pass is to follow; otherwise an empty one. Warns if the option was given but the
/// program has no backward pass.
TrainingGraph followedBackward(const Invocation& invocation, const Program& program, BackwardTags backward, Outcome& outcome);

} // namespace sunder::cli
