#pragma once

#include "analysis/alignment/align_graphs.h"
#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"

namespace sunder {

/// Says of new ops which lost ones they stand in place of: those that ran in the same call of a module between the same ops.
/// O(nodes + what is lost at each place).
void findReplaced(const CallTree& old, const CallTree& now, const Matches& matches, GraphAlignment& alignment);

} // namespace sunder
