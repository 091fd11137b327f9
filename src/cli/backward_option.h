#pragma once

#include "analysis/training/backward_tags.h"
#include "cli/command.h"

namespace sunder::cli {

/// Whether the backward calls of a joint program get the tags of their forward calls.
inline constexpr CommandOption kBackwardOption[] = {CommandOption{
    Takes::word, "backward", "follow|apart",
    "In a joint forward and backward program: tag the backward pass like the forward pass (follow, default) or like "
    "all other ops (apart)."}
                                                        .usually("follow")};

BackwardTags backwardOf(const Invocation& invocation);

/// Returns the training graph if the backward pass is to follow; otherwise an empty one. Warns if the option was given but the
/// program has no backward pass.
TrainingGraph followedBackward(const Invocation& invocation, const Program& program, BackwardTags backward, Outcome& outcome);

} // namespace sunder::cli
