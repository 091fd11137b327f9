#pragma once

#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

namespace sunder {

/// Pairs the inputs of the model by name. The rest are paired by order if both models have the same number left. Linear.
void pairInputs(const CallTree& old, const CallTree& now, Matches& matches);

/// Checks ops that were matched by position while similar ops of the same module were added or lost. The match then becomes a
/// doubt unless inputs and users confirm it. O(edges).
void doubtTwins(const CallTree& old, const CallTree& now, Matches& matches);

/// Per node of the new graph: whether its inputs changed in a way that new or lost ops in between do not explain. Follows at most
/// 32 such ops per node. O(edges).
std::vector<bool> rewired(const CallTree& old, const CallTree& now, const Matches& matches);

} // namespace sunder
