#pragma once

#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

namespace sunder {

/// Pairs the inputs of the model by their names, then, where as many are left, by their order. Linear.
void pairInputs(const CallTree& old, const CallTree& now, Matches& matches);

/// Of an op that was found by its place in its module, whether it is one of several of its kind there of which some are new or
/// lost; then what it reads and who reads it has to say that it is this one, or it is a doubt. O(edges).
void doubtTwins(const CallTree& old, const CallTree& now, Matches& matches);

/// Per node of the new graph: it reads something else than it did, and neither new ops on the way nor lost ones explain that.
/// O(edges); of what lies between at most 32 ops are looked at.
std::vector<bool> rewired(const CallTree& old, const CallTree& now, const Matches& matches);

} // namespace sunder
