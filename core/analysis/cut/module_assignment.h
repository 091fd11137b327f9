#pragma once

#include "analysis/tag_assignment.h"
#include "ir/identity_map.h"

namespace sunder {

/// In which module of a result each call of the source runs, as an assignment: `order` holds the paths of the modules that
/// own a graph, in the order of the module tree ("" is the root), and a call belongs to the one whose graph has its copy
/// (the first, when several have one). Calls without a copy, and those in graphs that no module owns, are in none.
/// O(nodes + modules + pairs).
TagAssignment moduleAssignment(const Program& source, const Program& result, const IdentityMap& map);

} // namespace sunder
