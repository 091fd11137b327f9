#pragma once

#include "analysis/training/backward_tags.h"
#include "cli/command.h"

namespace sunder::cli {

/// `--backward follow|apart`: what becomes of the backward calls of a joint program when its forward calls are tagged.
void declareBackward(QCommandLineParser& parser);

/// Refuses any other word.
Result<BackwardTags> backwardOf(const Invocation& invocation);

/// What the option asks for of this program: an answer to no question where the backward pass is tagged apart, or there is none;
/// the latter is said where the option was given.
TrainingGraph followedBackward(const Invocation& invocation, const Program& program, BackwardTags backward, Outcome& outcome);

} // namespace sunder::cli
