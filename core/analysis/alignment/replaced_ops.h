#pragma once

#include "analysis/alignment/align_graphs.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

namespace sunder {

/// Finds the lost ops that new ops replace: those in the same module call between the same matched ops. O(nodes + lost ops per
/// replacement).
void findReplaced(const CallTree& old, const CallTree& now, const Matches& matches, GraphAlignment& alignment);

} // namespace sunder
