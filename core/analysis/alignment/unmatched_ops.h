#pragma once

#include "analysis/alignment/call_tree.h"
#include "analysis/alignment/matches.h"
#include "analysis/alignment/tree_alignment.h"

namespace sunder {

/// Searches the whole model for unmatched modules by content. A match is certain if it is unique on both sides and the module
/// runs at least three ops; otherwise it is a doubt. O(nodes + modules).
void alignLeftModules(const CallTree& old, const CallTree& now, TreeAlignment& tree, Matches& matches);

/// Matches remaining ops by their inputs, then by their users, repeatedly while each step finds a unique match. O(edges); values
/// with more than 64 users are not followed.
void alignLeftNodes(const CallTree& old, const CallTree& now, Matches& matches);

} // namespace sunder
