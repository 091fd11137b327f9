#pragma once

#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"
#include "analysis/alignment/tree_alignment.h"

namespace sunder {

/// Modules that were found nowhere are looked for everywhere by what they run. One of its kind is taken for the other;
/// of several, and where it runs fewer than three ops, that is a doubt. O(nodes + modules).
void alignLeftModules(const CallTree& old, const CallTree& now, TreeAlignment& tree, Matches& matches);

/// Ops that were found nowhere, by what they read and then by who reads them, as long as that finds one each. O(edges) but for
/// values that more than 64 nodes read, which are not followed.
void alignLeftNodes(const CallTree& old, const CallTree& now, Matches& matches);

} // namespace sunder
